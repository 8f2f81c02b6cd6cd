import { ChatReply, findObject } from '../../upstreams/llm/wire.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'
import type { Parser } from './mutation-search.ts'

/** The reply, and the object that the model wrote in it. */
const chat: Parser = (json) => {
  const reply = parseWire(ChatReply, json, 'reply')
  return { ...reply, object: findObject(reply.content ?? '') }
}

/** What reads each documented reply. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  'from-docs/openai_chat_completion.json': chat,
}

export const UNREAD: Readonly<Record<string, string>> = {
  'from-docs/anthropic_message.json': 'only the format of OpenAI is spoken; its providers are many',
}

/** A reply of our own. */
export const chatReply = (
  message: Readonly<Record<string, unknown>>,
  choice: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({
  id: 'chatcmpl-own',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'a-model',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...choice }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

export const OWN_REPLIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  text: chatReply({ content: '{"verdict":"avoid"}', refusal: null }),
  parts: chatReply({
    content: [
      { type: 'text', text: '{"verdict":' },
      { type: 'text', text: '"avoid"}' },
    ],
  }),
  refusal: chatReply({ content: null, refusal: 'No.' }),
}
export const parseOwn = chat
