import { onPress } from './act.js'
import { fill, share, statsOf, tableOf, usd, windowText } from './draw.js'
import { drawPositions, onBuy, orderTold } from './orders.js'
import { brokerWords } from './overview.js'

let market
let account

export const hand = {
  name: 'hand',
  parts: [
    { asks: 'trade.balance', draw: drawBalance },
    { asks: 'trade.book', draw: drawBook },
    { asks: 'trade.positions', draw: drawPositions('hand-positions', 'BTC positions') },
  ],
  wire() {
    onBuy(
      'trade.buy',
      () => market,
      () => account?.broker,
    )
    onPress('trade.sell', soldTold)
  },
}

function soldTold({ count, orders, failed }) {
  const rest = failed.map(({ reason }) => reason).join('; ')
  const sold = count === 0 ? 'There was nothing to sell.' : orders.map(orderTold).join(' ')
  return rest ? `${sold} Not sold: ${rest}.` : sold
}

function drawBalance(reply) {
  account = reply
  fill('hand-figures', statsOf([['Cash, USD', usd(reply.cash_usd), brokerWords(reply)]]))
}

function drawBook(reply) {
  market = reply
  const sides = [
    { side: `UP (YES), ${windowText(reply.window_start)}`, ...reply.up },
    { side: 'DOWN (NO)', ...reply.down },
  ]
  const columns = [
    { head: 'Token', of: ({ side }) => side },
    { head: 'Bid', of: ({ bid }) => share(bid?.price), isNumber: true },
    { head: 'Shares', of: ({ bid }) => bid?.size_shares, isNumber: true },
    { head: 'Ask', of: ({ ask }) => share(ask?.price), isNumber: true },
    { head: 'Shares', of: ({ ask }) => ask?.size_shares, isNumber: true },
    { head: 'Last', of: ({ last }) => share(last), isNumber: true },
  ]
  fill('hand-book', tableOf('Book of the open BTC market', columns, sides, ''))
}
