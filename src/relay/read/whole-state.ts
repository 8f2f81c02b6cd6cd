import type { StatePart } from '../market/market-state.ts'
import { OtherFormat, parsePart } from '../wire/entry.ts'
import { LOG_START, type LogPage, type RelayLog } from '../wire/relay-log.ts'
import type { NextStep, Place, Step } from './next-step.ts'

type Readable = Pick<StatePart, 'name' | 'parse'>
/** All that the leader has: parts to take over, and then the entries since the oldest of them. */
export type WholeState = { restores: readonly (() => void)[]; steps: readonly Step[]; place: Place }
type Ports = { relay: RelayLog; parts: readonly Readable[]; next: NextStep; epoch: number }

export const PAGE_ENTRIES = 64
/** More than the log holds. */
const PAGES_MAX = 64

/** Undefined where a part or an entry is missing or is none: the leader writes it before long. Rejects where Redis is lost. */
export async function readWholeState({
  relay,
  parts,
  next,
  epoch,
}: Ports): Promise<WholeState | OtherFormat | undefined> {
  const seqs = new Map<string, number>()
  const restores: (() => void)[] = []
  for (const { name, parse } of parts) {
    const text = await relay.part(name)
    const part = orFault(() => parseState(text, epoch, parse))
    if (part instanceof OtherFormat) return part
    if (part instanceof Error || part === undefined) return undefined
    seqs.set(name, part.seq)
    restores.push(part.restore)
  }
  const place = { epoch, seq: Math.min(...seqs.values()), id: LOG_START }
  const steps: Step[] = []
  for (const entry of await readAll(relay, place)) {
    const step = orFault(() =>
      next({ ...place, seq: place.seq + steps.length }, entry, (part) => seqs.get(part) ?? 0),
    )
    // What a stranger wrote is in nobody's way.
    if (typeof step === 'object' && !(step instanceof Error)) steps.push(step)
  }
  const isWhole = place.seq + steps.length >= Math.max(...seqs.values())
  return isWhole ? { restores, steps, place } : undefined
}

function parseState(text: string | undefined, epoch: number, parse: Readable['parse']) {
  if (text === undefined) return undefined
  const { seq, state, epoch: written } = parsePart(text)
  return written === epoch ? { seq, restore: parse(state) } : undefined
}

function orFault<T>(find: () => T): T | Error {
  try {
    return find()
  } catch (error) {
    return error instanceof Error ? error : new Error('it cannot be read')
  }
}

/** To the end of the log; `place` is read on from there. */
async function readAll(relay: RelayLog, place: Place): Promise<LogPage['entries']> {
  const all: LogPage['entries'][number][] = []
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const { entries } = await relay.read(place.id, PAGE_ENTRIES)
    all.push(...entries)
    place.id = entries.at(-1)?.id ?? place.id
    if (entries.length < PAGE_ENTRIES) break
  }
  return all
}
