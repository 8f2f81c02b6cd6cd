// What the preview on the home page says of the last closed window: the server writes the page with it, and its script
// keeps it up to date with it.
import { dollars, percent, spanOf } from '../formats.js'

/** @param {import('./preview-words.js').Call} call @returns {import('./preview-words.js').Preview} */
export function previewOf(call) {
  const { direction, confidence, abstain, window_start, window_end } = call
  const isUp = direction === 'UP'
  const probabilityUp = isUp ? confidence : 1 - confidence
  return {
    direction: abstain ? 'No call: a coin flip' : `${isUp ? '▲ Up' : '▼ Down'}, ${percent(confidence)}`,
    tone: abstain ? '' : isUp ? 'up' : 'down',
    window: spanOf(window_start, window_end),
    said: `${percent(probabilityUp)} that it closes at or above its opening price`,
    outcome: outcomeOf(call),
    price: priceOf(call),
    record: call.record_path,
  }
}

function outcomeOf({ outcome, hit, abstain }) {
  if (outcome === 'unknown') return 'not known'
  const moved = outcome === 'UP' ? '▲ up' : '▼ down'
  return abstain ? moved : `${moved}: the direction was ${hit ? 'right' : 'wrong'}`
}

/** Undefined where the call does not tell prices, which is not the same as that nobody knows them. */
function priceOf({ open_price_usd: open, close_price_usd: close }) {
  if (open === undefined) return undefined
  return open === null || close === null ? 'unknown' : `${dollars(open)} to ${dollars(close)}`
}
