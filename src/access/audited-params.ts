/** As long as a row keeps them. */
export const AUDITED_CHARS = 500
const HIDDEN = '[secret]'
const SECRET_NAME = /(key|secret|token|passphrase|password|authorization|signature)$/i
/** One of our own keys, wherever somebody pasted it. */
const OPERATOR_KEY = /tbk_[\w-]+/g

/** Params as a row of the audit keeps them: JSON without secrets, cut off where it is long. */
export function auditedParams(params: object): string {
  const text = JSON.stringify(params, (name, value: unknown) => toShown(name, value))
  return text.length <= AUDITED_CHARS ? text : `${text.slice(0, AUDITED_CHARS - 1).toWellFormed()}…`
}

function toShown(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name) && value !== undefined && value !== null) return HIDDEN
  // JSON has no word for a bigint, and a call must not fail because its row cannot be written down.
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'string' ? value.replace(OPERATOR_KEY, HIDDEN) : value
}
