// Orders by hand: what a purchase or a sale asks first, and what is told of it afterwards.
import { button, element } from '../element.js'
import { act, formOf, moneyOf, neededKey, onSubmit, valuesOf } from './act.js'
import { mayAsk, newId } from './ask.js'
import { direction, fill, profit, share, tableOf, usd, windowOf, windowText } from './draw.js'
import { brokerWords } from './overview.js'

/**
 * Params with an id of the order. As long as the reply to one is not known the same terms go out under the same id,
 * so that they are one order.
 */
function createOrderIds() {
  let last
  return {
    withId(terms) {
      const text = JSON.stringify(terms)
      if (last?.text !== text) last = { text, id: newId() }
      return { ...terms, client_order_id: last.id }
    },
    /** The next one is another order. */
    decided() {
      last = undefined
    },
  }
}

/**
 * A form that buys.
 * @param {string} id of the route
 * @param {(coin?: string) => any} marketOf undefined where it is not known
 * @param {() => string | undefined} brokerOf the account that pays
 */
export function onBuy(id, marketOf, brokerOf) {
  const ids = createOrderIds()
  onSubmit(id, {
    // The account is sent as the question names it: another operator may switch it meanwhile.
    params: () => ids.withId({ ...valuesOf(formOf(id)), broker: knownBroker(brokerOf()) }),
    question: (order) => purchaseQuestion(order, marketOf(order.coin)),
    told: orderTold,
    toneOf: orderTone,
    onDone: ids.decided,
  })
}

/** @param {string | undefined} broker */
export function knownBroker(broker) {
  if (broker !== undefined) return broker
  throw new Error('It is not known yet which account is in use. Nothing was sent: try again in some seconds.')
}

/** @param {{ side: string, coin?: string, size_usd: number, broker: string }} order @param {any} market */
function purchaseQuestion({ side, coin = 'btc', size_usd: size, broker }, market) {
  const outcome = side === 'YES' ? 'UP' : 'DOWN'
  const quote = market?.[outcome.toLowerCase()]?.ask
  const name = coin.toUpperCase()
  return {
    title: `Buy ${name} ${outcome}?`,
    lines: [
      `${usd(size)} USD before the fee are spent on ${name} ${outcome} (${side}), with ${moneyOf(broker)}.`,
      market
        ? `Market: ${market.slug}, ${windowText(market.window_start)}; best ask now ${quote ? quote.price : 'none'}. An order that comes after its end goes to the next one.`
        : `The ${name} market of this window is not known now: the order may be refused.`,
      'What the book does not have at once is not bought.',
    ],
    yes: `Buy for ${usd(size)} USD`,
  }
}

export function orderTold(order) {
  const {
    side,
    coin,
    outcome,
    filled_shares: shares,
    filled_usd: amount,
    fees_usd: fees,
    state,
    note,
    repeat,
  } = order
  const again = repeat ? 'This order was there before. ' : ''
  if (isEmpty(order)) return again + emptyTold(order)
  const verb = side === 'BUY' ? 'Bought' : 'Sold'
  const what = `${shares} shares of ${coin} ${outcome} for ${usd(amount)} USD and ${usd(fees)} USD fees`
  const end = state === 'open' ? ' The venue has not told its end yet: do not send it again.' : ''
  const said = note ? ` ${note}.` : ''
  return `${again}${verb} ${what}, ${brokerWords(order)}.${end}${said}`
}

const isEmpty = ({ filled_shares: shares, state }) => shares === 0 && state !== 'open'
/** An order that took nothing is no success. */
const orderTone = (order) => (order.filled_shares === 0 ? 'warn' : 'good')

function emptyTold({ side, coin, outcome, note, broker, sim }) {
  const [done, lack, next] =
    side === 'BUY'
      ? [
          'bought',
          `the book had no shares of ${coin} ${outcome} at the price`,
          'Look at the open market, then buy again, for less or in the next window.',
        ]
      : [
          'sold',
          `nobody bid enough for ${coin} ${outcome}`,
          'The shares are still held: look at the bids, then sell again.',
        ]
  return `Nothing was ${done}: ${note || lack}. No money moved, ${brokerWords({ broker, sim })}. ${next}`
}

/** Positions, each with a button that sells it. @param {string} place @param {string} label */
export const drawPositions =
  (place, label) =>
  ({ positions }) =>
    fill(place, tableOf(label, POSITION_COLUMNS, positions, 'Nothing is held now.'))

const POSITION_COLUMNS = [
  { head: 'Sell', of: sellButton },
  { head: 'Window', of: (row) => windowOf(row.window_start), isName: true },
  { head: 'Coin', of: ({ coin }) => coin },
  { head: 'Side', of: ({ outcome }) => direction(outcome) },
  { head: 'Account', of: ({ broker }) => broker },
  { head: 'Shares', of: ({ shares }) => shares, isNumber: true },
  { head: 'Cost, USD', of: (row) => usd(row.cost_usd), isNumber: true },
  { head: 'Bid', of: ({ bid }) => share(bid), isNumber: true },
  { head: 'Worth, USD', of: (row) => usd(row.value_usd), isNumber: true },
  { head: 'Profit, USD', of: (row) => profit(row.unrealized_profit_usd), isNumber: true },
  { head: 'Resolved', of: (row) => direction(row.resolved_as) },
]

function sellButton(position) {
  const { coin, outcome, token_id: token, broker, shares } = position
  const key = `sell-${broker}-${token}`
  const name = `Sell ${coin} ${outcome}`
  const made = button('Sell…', sell, { class: 'danger', 'data-key': key, 'aria-label': name })
  if (!mayAsk('trade.close')) {
    made.disabled = true
    made.title = neededKey('trade')
    return [made, element('small', {}, ' needs the scope trade')]
  }
  const question = () => ({
    title: `${name}?`,
    lines: [
      `All ${shares} shares are sold at whatever the book pays now, from one cent up, with ${moneyOf(broker)}.`,
      `Best bid when this was read: ${position.bid ?? 'not known'}. Window ${windowText(position.window_start)}.`,
    ],
    yes: `Sell ${shares} shares`,
  })
  const params = () => ({ token_id: token, shares: 0, broker })
  function sell() {
    act(made, { id: 'trade.close', params, question, told: orderTold, toneOf: orderTone })
  }
  return made
}
