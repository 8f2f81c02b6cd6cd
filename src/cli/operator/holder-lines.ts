import { HOLDERS_CALLS_PER_DAY } from '../../account/tiers.ts'
import { toTable } from '../terminal/table.ts'

export type HolderLine = { wallet: string; calls: number; limit: number | undefined }

type Listed = { lines: readonly HolderLine[]; more: number; total: number; day: string }

const HEAD = ['wallet', 'calls', 'limit', 'of the cap']

/** Holder calls of a UTC day, against what a wallet may call and what all holders together may. */
export function listHolders({ lines, more, total, day }: Listed): string {
  const sum = `all holders on ${day} (UTC): ${total} of ${HOLDERS_CALLS_PER_DAY} calls, ${share(total)}\n`
  if (lines.length === 0) return `no wallet has made holder calls yet\n${sum}`
  const table = toTable([HEAD, ...lines.map(toLine)])
  const rest = more > 0 ? `and ${more} more wallets with fewer calls\n` : ''
  const isUnknown = lines.some(({ limit }) => limit === undefined)
  return `${table}${rest}${sum}${isUnknown ? UNKNOWN : ''}`
}

const UNKNOWN =
  '?: what the wallet holds could not be read here; TOLLBOOK_EVM_RPC_URL names the node, GET /tier/<wallet> of the running service tells it too\n'

const toLine = ({ wallet, calls, limit }: HolderLine): string[] => [
  wallet,
  String(calls),
  limit === undefined ? '?' : String(limit),
  share(calls),
]

const share = (calls: number): string => `${((100 * calls) / HOLDERS_CALLS_PER_DAY).toFixed(2)} %`
