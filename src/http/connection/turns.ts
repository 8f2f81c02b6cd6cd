/** Of a turn of the event loop: for what has just come, and as much for what waits. */
const TURN_MS = 20
/** In a row: who never ceases to come must not keep the others waiting. */
const SHORT_TURNS_MAX = 64

/** By whose it is; who had a turn last is last. */
const waiting = new Map<unknown, (() => void)[]>()
let count = 0
let spentMs = 0
let isTurnNoted = false
let hasCome = false
let shortTurns = 0

/** The loop takes in one connection in each of its turns: while some come, turns are short. */
export function noteComer(): void {
  hasCome = true
}

/** Does it now, or returns undefined where this turn has done enough of such work. */
export function spendHere<T>(work: () => T): T | undefined {
  if (spentMs >= TURN_MS) return undefined
  noteTurn()
  return spend(work)
}

/** Done in a later turn, after what the same has waiting already; all others are each let in between. */
export function waitForTurn(whose: unknown, work: () => void): void {
  const own = waiting.get(whose)
  if (own) own.push(work)
  else waiting.set(whose, [work])
  count++
  noteTurn()
}

function spend<T>(work: () => T): T {
  const startedMs = performance.now()
  try {
    return work()
  } finally {
    spentMs += performance.now() - startedMs
  }
}

function noteTurn(): void {
  if (isTurnNoted) return
  isTurnNoted = true
  setImmediate(beginTurn)
}

function beginTurn(): void {
  isTurnNoted = false
  const isShort = hasCome && shortTurns < SHORT_TURNS_MAX
  hasCome = false
  shortTurns = isShort ? shortTurns + 1 : 0
  spentMs = isShort ? TURN_MS : 0
  for (let left = count; left > 0 && spentMs < TURN_MS; left--) spend(takeNext())
  if (!isShort) spentMs = 0
  if (isShort || count > 0) noteTurn()
}

function takeNext(): () => void {
  const [[whose, own]] = waiting as unknown as [[unknown, (() => void)[]]]
  const work = own.shift() as () => void
  waiting.delete(whose)
  if (own.length > 0) waiting.set(whose, own)
  count--
  return work
}
