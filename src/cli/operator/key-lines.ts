import { describeEnd, type MadeKey } from '../../access/change-keys.ts'
import { ENVIRONMENT, KEY_SCOPES } from '../../access/operator-keys.ts'
import type { OperatorKeyRow } from '../../ledger/ports/operator-book.ts'
import { timeOf, toTable } from '../terminal/table.ts'

/** What there is to say about a key that was just made, but not the key. */
export function tellMade(
  { id, label, scopes, revokedMs }: MadeKey & { revokedMs?: number },
  oldId?: string,
): string {
  const end = revokedMs === undefined ? [] : [`key ${oldId} works until ${timeOf(revokedMs)}`]
  const lines = [
    `key ${id}, ${JSON.stringify(label)}, for ${scopes.join(' and ')}: a running service takes it within two seconds`,
    ...end,
    'it is shown this once, only its hash is kept:',
  ]
  return `${lines.join('\n')}\n`
}

export function tellRevoked(row: OperatorKeyRow, nowMs: number): string {
  const { id, label, revokedMs } = row
  if (revokedMs !== undefined && revokedMs <= nowMs)
    return `key ${id}, ${JSON.stringify(label)}, ${describeEnd(revokedMs, nowMs)} already\n`
  return `key ${id}, ${JSON.stringify(label)}, is revoked: a running service refuses it within two seconds\n`
}

const HEAD = ['id', 'label', 'scopes', 'made', 'last used', 'revoked']

export function listKeys(rows: readonly OperatorKeyRow[], nowMs: number, hasEnvironmentKey: boolean): string {
  const lines = rows.map((row) => toLine(row, nowMs))
  if (hasEnvironmentKey)
    lines.push([ENVIRONMENT, 'TOLLBOOK_OPERATOR_KEY', KEY_SCOPES.join(','), '-', '-', '-'])
  if (lines.length === 0)
    return 'there is no key: make one with ./tollbook keys make --label <name> --scope admin --scope trade\n'
  return toTable([HEAD, ...lines])
}

function toLine(
  { id, label, scopes, createdMs, lastUsedMs, revokedMs }: OperatorKeyRow,
  nowMs: number,
): string[] {
  const revoked = revokedMs === undefined ? '-' : timeOf(revokedMs)
  const end = revokedMs !== undefined && revokedMs > nowMs ? `from ${revoked}` : revoked
  return [
    id,
    label,
    scopes.join(','),
    timeOf(createdMs),
    lastUsedMs === undefined ? 'never' : timeOf(lastUsedMs),
    end,
  ]
}
