import { element } from '../element.js'
import { minuteOf } from '../formats.js'
import { formOf, moneyOf, onPress, onSubmit, valuesOf } from './act.js'
import { badge, direction, fill, share, tableOf, timeOf, usd, windowOf } from './draw.js'
import { drawPositions, knownBroker, onBuy } from './orders.js'
import { botFields, toNotice } from './overview.js'

const BOSS = 'admin.boss_signal'

/** As they were told last: dialogs quote them. */
let status
let markets = []

export const bot = {
  name: 'bot',
  parts: [
    { asks: 'admin.trading', draw: drawStatus },
    { asks: 'admin.trading_markets', draw: drawMarkets },
    { asks: 'admin.positions', draw: drawPositions('bot-positions', 'Positions') },
  ],
  wire,
}

function wire() {
  onPress('admin.command', ({ did }) => `Done: ${did}.`)
  onPress(
    'admin.reset_breaker',
    ({ note }) => `The circuit breaker is closed.${note ? ` Note: ${note}.` : ''}`,
  )
  onPress('admin.claim_wins', winsTold)
  onBuy('admin.buy', marketOf, () => status?.broker)
  onSubmit(BOSS, {
    params: () => ({ ...valuesOf(formOf(BOSS)), broker: knownBroker(status?.broker) }),
    question: bossQuestion,
    told: bossTold,
  })
}

const marketOf = (coin) => markets.find((each) => each.coin === coin.toUpperCase())?.market

function bossQuestion({ direction: side, coin, reason, broker }) {
  const size = status?.config.size_usd
  return {
    title: `Force ${coin.toUpperCase()} ${side}?`,
    lines: [
      `In the next window of ${coin.toUpperCase()} the bot buys ${side} once, whatever its own signal says, for ${usd(size)} USD at most before the fee, with ${moneyOf(broker)}.`,
      'Its rules on money and on fresh data still hold. A boss signal for the same window that was sent before is replaced.',
      ...(reason ? [`Your reason: ${reason}`] : []),
    ],
    yes: `Force ${side}`,
  }
}

function bossTold({ boss_signal: signal, note }) {
  const { coin, direction: side, window_start: startS } = signal
  return `The bot buys ${coin} ${side} in the window that opens at ${minuteOf(startS)} UTC.${note ? ` Note: ${note}.` : ''}`
}

function winsTold({ scanned, claimed, claimed_usd: sum, pending }) {
  const rest = pending.map(({ reason }) => reason).join('; ')
  return `${usd(sum)} USD of ${claimed.length} wins claimed, ${scanned} markets looked at.${rest ? ` Not claimed: ${rest}.` : ''}`
}

/** Of two commands that undo each other the one that would change something. @param {boolean} isEnabled */
function offerCommand(isEnabled) {
  for (const button of document.querySelectorAll('button[data-act="admin.command"]')) {
    const { command } = JSON.parse(button.getAttribute('data-params'))
    if (command === 'pause_bot') button.toggleAttribute('hidden', !isEnabled)
    if (command === 'resume_bot') button.toggleAttribute('hidden', isEnabled)
  }
}

function drawStatus(reply) {
  status = reply
  const { config } = reply
  offerCommand(config.enabled)
  fill(
    'bot-state',
    botFields(reply, [
      ['Strategy', config.strategy],
      ['Size of an order', `${usd(config.size_usd)} USD at most`],
      ['Configuration', `version ${config.version}, by ${config.by}`],
    ]),
    ...[...reply.obstacles, ...reply.notes].map(toNotice),
  )
  const boss = [
    { head: 'At', of: ({ at }) => timeOf(at) },
    { head: 'Coin', of: ({ coin }) => coin },
    { head: 'Side', of: (row) => direction(row.direction) },
    { head: 'Window', of: (row) => windowOf(row.window_start) },
    { head: 'Used', of: (row) => timeOf(row.used_at) },
    { head: 'By', of: ({ by }) => by },
    { head: 'Reason', of: ({ reason }) => reason },
  ]
  fill('bot-boss', tableOf('Boss signals', boss, reply.boss_signals, 'No direction was forced yet.'))
  const events = [
    { head: 'At', of: ({ at }) => timeOf(at) },
    { head: 'What', of: ({ kind }) => badge(kind, kind === 'opened' ? 'bad' : 'good') },
    { head: 'Reason', of: ({ reason }) => reason },
    { head: 'By', of: ({ by }) => by },
  ]
  fill('bot-breaker', tableOf('Circuit breaker', events, reply.breaker_events, 'It has never opened.'))
}

function drawMarkets(reply) {
  markets = reply.markets
  const price = (side, kind) => ({
    head: `${side === 'up' ? 'UP' : 'DOWN'} ${kind}`,
    of: ({ market }) => market && share(market[side][kind]?.price),
    isNumber: true,
  })
  const columns = [
    { head: 'Coin', of: ({ coin }) => coin },
    { head: 'Window', of: ({ market, reason }) => (market ? windowOf(market.window_start) : reason) },
    { head: 'Left', of: ({ market }) => market && `${market.seconds_remaining} s`, isNumber: true },
    price('up', 'bid'),
    price('up', 'ask'),
    price('down', 'bid'),
    price('down', 'ask'),
    { head: 'Market', of: ({ market }) => market && element('code', {}, market.slug) },
  ]
  fill('bot-markets', tableOf('Open markets', columns, markets, 'No market is known.'))
}
