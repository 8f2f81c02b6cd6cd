import type { z } from 'zod'
import { type FreeAccess, free } from '../access.ts'
import type { Path } from '../path.ts'
import type { AnyParams, Asking, Description, Method, MissingNames, Placeholders } from './endpoint.ts'
import { findRecordedCall, sampleOf } from './recorded-call.ts'

/** A request as a protocol of its own sees it. */
export type ProtocolCall = {
  method: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** What stands in the path, by name. */
  values: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Empty for a GET. */
  body: string
  client: string
  requestId: string
}
export type ProtocolReply = { status: number; headers: readonly string[]; body: string }

/** JSON that is sent or answered, for the API description. */
export type ProtocolText = { schema: z.ZodType; example: unknown }

type Speaking<S> = {
  method: Method
  /** What a POST carries. */
  message?: ProtocolText
  /** Without an example: what `npm run examples` was answered. */
  answer: Omit<ProtocolText, 'example'> & { example?: unknown }
  handle: (services: S, call: ProtocolCall) => ProtocolReply | Promise<ProtocolReply>
}

/** An address that speaks a protocol of its own. It is free; what is paid inside goes through the gate. */
export type Protocol<S> = Description<Path, FreeAccess> &
  Speaking<S> & {
    kind: 'protocol'
    params: z.ZodObject
    sample: AnyParams
    placeholders?: Placeholders
  }

export function defineProtocol<S, P extends Path, Params extends z.ZodObject>(
  protocol: Omit<Description<P, FreeAccess>, 'access'> &
    Asking<Params> &
    Speaking<S> &
    MissingNames<P, Params>,
): Protocol<S> {
  const { schema, example } = protocol.answer
  const call = example === undefined ? findRecordedCall(protocol.id) : undefined
  const answer = { schema, example: call ? call.reply : example }
  const sample = call ? sampleOf(call) : {}
  return { ...protocol, ...sample, answer, kind: 'protocol', access: free } as unknown as Protocol<S>
}
