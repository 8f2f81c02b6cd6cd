import { type Upstream, UpstreamError } from '../upstream.ts'
import { type AcceptedFields, ALL_FIELDS, withoutRefused } from './accepted-fields.ts'
import { ChatReply, findObject } from './wire.ts'

/** From sending to the last byte. */
const TIMEOUT_MS = 8_000
const MAX_REPLY_BYTES = 256 * 1024
/** About 3,000 characters of English: what a model writes beyond is not paid for. */
const MAX_TOKENS = 900
/** Here thoughts count, too, and come first. */
const MAX_COMPLETION_TOKENS = 4_000
const PATH = '/chat/completions'
/** Requests for one answer: what a server refuses for its fields costs nothing, and is written anew. */
const MAX_WRITTEN = 3

export type JsonSchema = Readonly<Record<string, unknown>>
export type Question = {
  /** What the model is to do, in our words. */
  system: string
  /** What it is to do it with. */
  user: string
  /** What its answer must look like, for servers that take such a wish. */
  schema: { name: string; schema: JsonSchema }
}

/** Any model behind `POST /v1/chat/completions` of OpenAI. */
export type Llm = {
  model: string
  /** The object that the model wrote; rejects with an `UpstreamError`. Answered once, because it costs money. */
  ask(question: Question): Promise<Readonly<Record<string, unknown>>>
}

export function createLlm(upstream: Pick<Upstream, 'ask'>, model: string): Llm {
  let accepted = ALL_FIELDS
  const send = (question: Question, fields: AcceptedFields) =>
    upstream.ask({
      path: PATH,
      body: toBody(model, question, fields),
      schema: ChatReply,
      maxBytes: MAX_REPLY_BYTES,
      timeoutMs: TIMEOUT_MS,
      isSentOnce: true,
    })
  const sendAsTheyLike = async (question: Question) => {
    let fields = accepted
    for (let written = 1; ; written++) {
      try {
        const reply = await send(question, fields)
        accepted = fields
        return reply
      } catch (error) {
        const fewer = withoutRefused(fields, error)
        if (!fewer || written === MAX_WRITTEN) throw error
        fields = fewer
      }
    }
  }
  return {
    model,
    async ask(question) {
      const { content, isRefused, isCutOff } = await sendAsTheyLike(question)
      if (isRefused) throw new UpstreamError('refused', `POST ${PATH}: the model refuses to answer`)
      if (content === undefined || content.trim() === '')
        throw new UpstreamError('malformed', `POST ${PATH}: the model says nothing`)
      const found = findObject(content)
      if (found) return found
      const why = isCutOff ? 'the answer is cut off' : 'the model did not write an object'
      throw new UpstreamError('malformed', `POST ${PATH}: ${why}`)
    },
  }
}

function toBody(model: string, { system, user, schema }: Question, fields: AcceptedFields) {
  const { limit, hasTemperature, hasSchema } = fields
  return {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    ...(hasTemperature && { temperature: 0 }),
    [limit]: limit === 'max_tokens' ? MAX_TOKENS : MAX_COMPLETION_TOKENS,
    stream: false,
    ...(hasSchema && {
      response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } },
    }),
  }
}

const ASKS_TO_WAIT: readonly (number | undefined)[] = [418, 425, 429]

/** Whether the server, and not the model, refused what was asked: the next request gets the same answer. */
export const isTurnedAway = (error: unknown): boolean =>
  error instanceof UpstreamError &&
  (error.fault === 'refused' || error.fault === 'not_found') &&
  error.status !== undefined &&
  !ASKS_TO_WAIT.includes(error.status)

/** An address without a path gets the usual one: `http://127.0.0.1:11434` is `http://127.0.0.1:11434/v1`. */
export function chatBase(url: string): string {
  const base = new URL(url)
  if (base.pathname === '/') base.pathname = '/v1'
  return base.href
}
