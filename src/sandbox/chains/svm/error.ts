/** A transaction error as Solana's RPC writes it: `"AlreadyProcessed"` or `{"InstructionError":[2,{"Custom":1}]}`. */
export type SvmError = string | { InstructionError: [number, string | { Custom: number }] }

const ERROR_TEXT = /\berr: (?:InstructionError\((\d+), (?:Custom\((\d+)\)|(\w+))|(\w+))/

/** LiteSVM's binding gives errors as numbers; only their text has the names that clients know. */
export function toSvmError(failed: { toString(): string }): SvmError {
  const [, index, code, instructionError, name] = ERROR_TEXT.exec(failed.toString()) ?? []
  if (index === undefined) return name ?? 'Unknown'
  const inner = code === undefined ? (instructionError ?? 'GenericError') : { Custom: Number(code) }
  return { InstructionError: [Number(index), inner] }
}

/** A JSON-RPC error with Solana's code. */
export class SvmRpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'SvmRpcError'
    this.code = code
    this.data = data
  }
}

export const RPC_ERRORS = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  preflightFailure: -32002,
  signatureFailure: -32003,
  minContextSlotNotReached: -32016,
} as const
