import { KEY_SCOPES } from '../../access/operator-keys.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import type { OperatorKeyRow } from '../../ledger/ports/operator-book.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import type { Fault } from '../terminal/run-command.ts'

/** What `tollbook keys` was asked to do. */
export type KeysTask =
  | ({ kind: 'make' } & Pick<OperatorKeyRow, 'label' | 'scopes'>)
  | { kind: 'list' }
  | { kind: 'rotate'; id: string; graceMs: number }
  | { kind: 'revoke'; id: string }
  | { kind: 'audit'; keyId: string | undefined; last: number; isJson: boolean }

export const DEFAULT_GRACE = '1h'
export const DEFAULT_LAST = 50
const MAX_LAST = 100_000
const MAX_GRACE_MS = 30 * DAY_MS
/** Stands in lists, rows and logs. */
const LABEL = /^[\w][\w .@:-]{0,39}$/
const UNITS_MS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

const OPTIONS = {
  label: { type: 'string' },
  scope: { type: 'string', multiple: true },
  grace: { type: 'string' },
  key: { type: 'string' },
  last: { type: 'string' },
  json: { type: 'boolean' },
} as const
type Values = {
  label?: string
  scope?: string[]
  grace?: string
  key?: string
  last?: string
  json?: boolean
}

export function parseKeysTask(args: string[]): KeysTask | 'help' | Fault {
  return parseOptions(args, { options: OPTIONS, allowPositionals: true }, ({ values, positionals }) => {
    const [kind, ...rest] = positionals
    switch (kind) {
      case 'make':
        return findStray(kind, values, ['label', 'scope']) ?? findMore(rest, 0) ?? toMake(values)
      case 'list':
        return findStray(kind, values, []) ?? findMore(rest, 0) ?? { kind }
      case 'rotate':
        return findStray(kind, values, ['grace']) ?? findMore(rest, 1) ?? toRotate(rest, values)
      case 'revoke':
        return findStray(kind, values, []) ?? findMore(rest, 1) ?? { kind, id: rest[0] ?? '' }
      case 'audit':
        return findStray(kind, values, ['key', 'last', 'json']) ?? findMore(rest, 0) ?? toAudit(values)
      default:
        return {
          fault: `keys ${kind === undefined ? 'needs a task' : `has no task ${JSON.stringify(kind)}`}: make, list, rotate, revoke or audit`,
        }
    }
  })
}

function toMake({ label, scope = [] }: Values): KeysTask | Fault {
  if (label === undefined) return { fault: 'name the key, so that you know it again: --label <name>' }
  if (!LABEL.test(label))
    return {
      fault: `--label ${JSON.stringify(label)} must have 1 to 40 letters, digits, spaces or any of _ . @ : -`,
    }
  if (scope.length === 0)
    return {
      fault: `say what the key opens: ${KEY_SCOPES.map((each) => `--scope ${each}`).join(' or ')}, or both`,
    }
  const unknown = scope.find((each) => !KEY_SCOPES.some((known) => known === each))
  if (unknown !== undefined)
    return { fault: `there is no scope ${JSON.stringify(unknown)}: ${KEY_SCOPES.join(' or ')}` }
  return { kind: 'make', label, scopes: KEY_SCOPES.filter((known) => scope.includes(known)) }
}

function toRotate([id = '']: readonly string[], { grace = DEFAULT_GRACE }: Values): KeysTask | Fault {
  const [, count, unit = ''] = /^(\d{1,7})([smhd])$/.exec(grace) ?? []
  const graceMs = Number(count) * (UNITS_MS[unit] ?? Number.NaN)
  if (!(graceMs <= MAX_GRACE_MS))
    return {
      fault: `--grace ${JSON.stringify(grace)} must be a time of at most 30d, such as 30m, 1h, 2d or 0s`,
    }
  return { kind: 'rotate', id, graceMs }
}

function toAudit({ key, last = String(DEFAULT_LAST), json = false }: Values): KeysTask | Fault {
  const count = /^\d{1,6}$/.test(last) ? Number(last) : 0
  if (count < 1 || count > MAX_LAST)
    return { fault: `--last ${JSON.stringify(last)} must be a whole number from 1 to ${MAX_LAST}` }
  return { kind: 'audit', keyId: key, last: count, isJson: json }
}

/** An option of another task would be without effect. */
function findStray(kind: string, values: Values, own: readonly string[]): Fault | undefined {
  const stray = Object.keys(values).find((name) => !own.includes(name))
  return stray === undefined ? undefined : { fault: `--${stray} means nothing to keys ${kind}: leave it out` }
}

function findMore(given: readonly string[], wanted: 0 | 1): Fault | undefined {
  if (given.length === wanted) return undefined
  return {
    fault:
      wanted === 0
        ? `${JSON.stringify(given[0])} means nothing here: leave it out`
        : 'name one key by its id: tollbook keys list shows them',
  }
}
