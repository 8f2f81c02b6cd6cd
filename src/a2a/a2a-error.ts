/** What the protocol calls each failure, with its JSON-RPC code and its HTTP status. */
const FAILURES = {
  INVALID_REQUEST: [-32_600, 400, 'INVALID_ARGUMENT'],
  METHOD_NOT_FOUND: [-32_601, 404, 'NOT_FOUND'],
  INVALID_PARAMS: [-32_602, 400, 'INVALID_ARGUMENT'],
  INTERNAL: [-32_603, 500, 'INTERNAL'],
  TASK_NOT_FOUND: [-32_001, 404, 'NOT_FOUND'],
  TASK_NOT_CANCELABLE: [-32_002, 400, 'FAILED_PRECONDITION'],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32_003, 400, 'FAILED_PRECONDITION'],
  UNSUPPORTED_OPERATION: [-32_004, 400, 'FAILED_PRECONDITION'],
  VERSION_NOT_SUPPORTED: [-32_009, 400, 'FAILED_PRECONDITION'],
} as const satisfies Record<string, readonly [code: number, status: number, name: string]>

export type A2aReason = keyof typeof FAILURES

/** A message that is wrong as such; what fails inside a task is told by the task. */
export class A2aError extends Error {
  readonly reason: A2aReason
  constructor(reason: A2aReason, message: string) {
    super(message)
    this.name = 'A2aError'
    this.reason = reason
  }
}

/** A payment that was sent before leads to its reply; without it the same message would get new terms. */
export const noSuchTask = () =>
  new A2aError(
    'TASK_NOT_FOUND',
    'no task has this id; send the whole message again, with the payment that you sent, if any',
  )

const detailsOf = (reason: A2aReason) => [
  { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' },
]

export function toRpcError({ reason, message }: A2aError) {
  return { code: FAILURES[reason][0], message, data: detailsOf(reason) }
}

export function toHttpError({ reason, message }: A2aError): { status: number; body: object } {
  const [, code, status] = FAILURES[reason]
  return { status: code, body: { error: { code, status, message, details: detailsOf(reason) } } }
}
