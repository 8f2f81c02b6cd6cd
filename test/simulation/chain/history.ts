import { type Authorization, EVM } from '../people/authorization.ts'
import type { Blocks } from './blocks.ts'

/** One transaction in one block, from when until when that was so. */
export type Inclusion = {
  authorization: Authorization
  transaction: string
  /** A facilitator's name, or whoever else submitted it. */
  by: string
  kind: 'transfer' | 'cancel' | 'failed'
  block: number
  landedAtMs: number
  /** When its block was undone. */
  undoneAtMs: number | undefined
}
/** Announced for the next block, before that exists. */
export type Announced = Pick<Inclusion, 'authorization' | 'transaction' | 'by' | 'block'> & { atMs: number }

/** All that ever was on the chain: a node that lags behind looks at an earlier moment of it. */
export type History = {
  add(inclusion: Inclusion): void
  announce(announced: Announced): void
  withdraw(announced: Announced): void
  announced(transaction: string): Announced | undefined
  /** What used that authorization, as seen at a moment. */
  useAt(key: string, ms: number): Inclusion | undefined
  ofTransaction(transaction: string, ms: number): Inclusion | undefined
  ofKey(key: string): readonly Inclusion[]
  /** Uses that stand now. */
  standing(): Inclusion[]
  all(): readonly Inclusion[]
}

export function createHistory(): History {
  const all: Inclusion[] = []
  const byKey = new Map<string, Inclusion[]>()
  const byTransaction = new Map<string, Inclusion[]>()
  const announced = new Map<string, Announced>()
  return {
    add(inclusion) {
      all.push(inclusion)
      push(byTransaction, inclusion.transaction, inclusion)
      if (inclusion.kind !== 'failed') push(byKey, inclusion.authorization.key, inclusion)
    },
    announce: (each) => void announced.set(each.transaction, each),
    withdraw: (each) => void announced.delete(each.transaction),
    announced: (transaction) => announced.get(transaction),
    useAt: (key, ms) => byKey.get(key)?.find((each) => isThere(each, ms)),
    ofTransaction: (transaction, ms) => byTransaction.get(transaction)?.find((each) => isThere(each, ms)),
    ofKey: (key) => byKey.get(key) ?? [],
    standing: () => all.filter(({ kind, undoneAtMs }) => kind !== 'failed' && undoneAtMs === undefined),
    all: () => all,
  }
}

export const isThere = ({ landedAtMs, undoneAtMs }: Inclusion, ms: number): boolean =>
  landedAtMs <= ms && (undoneAtMs === undefined || undoneAtMs > ms)

/** When it was under as many blocks as the rule asks for; undefined where it was undone before, though not in that moment. */
export function confirmedAt(
  inclusion: Inclusion,
  { evm }: { evm: Blocks },
  confirmations: (value: number) => number,
): number | undefined {
  const { authorization, block, landedAtMs, undoneAtMs } = inclusion
  if (authorization.network !== EVM) return landedAtMs
  const atMs = Math.max(landedAtMs, evm.timeOf(block + confirmations(authorization.value) - 1))
  return undoneAtMs === undefined || atMs <= undoneAtMs ? atMs : undefined
}

function push(lists: Map<string, Inclusion[]>, name: string, inclusion: Inclusion): void {
  const list = lists.get(name)
  if (list) list.push(inclusion)
  else lists.set(name, [inclusion])
}
