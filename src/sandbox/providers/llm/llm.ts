import type { ProviderServer } from '../provider-server.ts'
import { json, ok, type Reply } from '../reply.ts'
import { ChatRequest, type Prompt, readPrompt } from './prompt.ts'
import { chatInvent, chatObey, chatWell, claim, invent, type ModelMode, obey, writeWell } from './script.ts'

export type LlmScript = {
  mode: ModelMode
  /** What the model takes for an order when it obeys. */
  isOrder: (text: string) => boolean
  /** What it adds of its own when it claims something. */
  claim?: string
}

export const WELL: LlmScript = { mode: 'well', isOrder: () => false }

/** A model of the sandbox's own: it says what was told it, and for tests it fails in every way that models do. */
export function createLlmServer(script: () => LlmScript, nowMs: () => number): ProviderServer {
  return {
    rest: ({ method, path, body }) => {
      if (path === '/v1/models') return ok({ object: 'list', data: [MODEL] })
      if (path !== '/v1/chat/completions') return undefined
      if (method !== 'POST') return refused(405, 'Method Not Allowed')
      const request = ChatRequest.safeParse(parse(body))
      if (!request.success) return refused(400, 'We could not parse the JSON body of your request.')
      return answer(request.data, script(), nowMs())
    },
    socketAt: () => undefined,
    close() {},
  }
}

const MODEL = { id: 'sandbox-model', object: 'model', created: 0, owned_by: 'sandbox' }
const NEVER = new Promise<Reply>(() => {})

function answer(request: ChatRequest, script: LlmScript, nowMs: number): Reply | Promise<Reply> {
  const { mode } = script
  const prompt = readPrompt(request)
  const say = (content: string | null, refusal: string | null = null) =>
    ok(completion(request.model, content, refusal, nowMs))
  if (mode === 'slow') return NEVER
  if (mode === 'limit') return refused(429, 'Rate limit reached for requests', { 'retry-after': '30' })
  const refusal = refusedField(request, mode)
  if (refusal) return refusal
  if (mode === 'empty') return say('')
  if (mode === 'refuses') return say(null, 'I cannot help with that.')
  if (mode === 'prose') return say('Here is my honest opinion of the token, in a few words of prose.')
  if (mode === 'breaks_schema') return say(JSON.stringify({ opinion: 'great', confidence: 1 }))
  return say(JSON.stringify(draftOf(prompt, script)))
}

/** The first field that the server does not take, in the words of those that have models which think. */
function refusedField(request: ChatRequest, mode: ModelMode): Reply | undefined {
  const thinks = mode === 'thinks' || mode === 'thinks_without_schema'
  if (mode === 'turns_away') return refused(400, 'Invalid request.')
  if (thinks && request.max_tokens !== undefined)
    return refused(
      400,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      {},
      { param: 'max_tokens', code: 'unsupported_parameter' },
    )
  if (thinks && request.temperature !== undefined)
    return refused(
      400,
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      {},
      { param: 'temperature', code: 'unsupported_value' },
    )
  return request.response_format && (mode === 'dislikes_schema' || mode === 'thinks_without_schema')
    ? refused(400, "Unknown parameter: 'response_format'.")
    : undefined
}

function draftOf(prompt: Prompt, { mode, isOrder, claim: sentence = '' }: LlmScript) {
  const isChat = prompt.given.topic !== undefined
  if (mode === 'invents') return isChat ? chatInvent(prompt) : invent(prompt)
  if (mode === 'claims') return claim(prompt, sentence)
  const order = mode === 'obeys' || mode === 'obeys_quietly' ? textsIn(prompt).find(isOrder) : undefined
  const isQuiet = mode === 'obeys_quietly'
  if (isChat) return order === undefined ? chatWell(prompt) : chatObey(prompt, order, isQuiet)
  return order === undefined ? writeWell(prompt) : obey(prompt, order, isQuiet)
}

/** Every text of the prompt, names of fields too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)])
}

const completion = (model: string, content: string | null, refusal: string | null, nowMs: number) => ({
  id: `chatcmpl-sandbox-${nowMs}`,
  object: 'chat.completion',
  created: Math.floor(nowMs / 1000),
  model,
  choices: [
    { index: 0, message: { role: 'assistant', content, refusal }, logprobs: null, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
})

const refused = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  why: { param: string | null; code: string | null } = { param: null, code: null },
) => json(status, { error: { message, type: 'invalid_request_error', ...why } }, headers)

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
