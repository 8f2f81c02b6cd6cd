import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { WRITER_LIMIT } from '../diagnosis/limit.ts'
import { Source } from '../fields.ts'
import { replyTo } from './reply.ts'
import type { ChatServices } from './services.ts'

export const CHAT_ID = 'chat.chat'
const SOURCE = 'catalog_and_previews'
const MESSAGE_CHARS = 2_000
const CONTENT_CHARS = 4_000
const MAX_TURNS = 20
/** The longest question with the longest history, in UTF-8, with room for names and quotes. */
const BODY_BYTES = 384 * 1024

/** In characters, not in halves of them. */
const Text = (max: number) =>
  z
    .string()
    .min(1)
    .refine((text) => Array.from(text).length <= max, `must have at most ${max} characters`)
    .meta({ minLength: 1, maxLength: max })

const Turn = z.object({
  role: z.enum(['user', 'assistant']).describe('Who said it'),
  content: Text(CONTENT_CHARS).describe('What was said'),
})

export const createChat = (site: string) =>
  defineEndpoint({
    id: CHAT_ID,
    method: 'POST',
    path: `/${site}/chat`,
    paramsIn: 'body',
    bodyBytes: BODY_BYTES,
    ownPagesOnly: true,
    access: free,
    limit: WRITER_LIMIT,
    summary: 'Answers questions about the service and its public data',
    description:
      'For the website: says what things cost and how to buy them, what the free previews show of the market, how past signals did, and whether it is simulated; with the endpoints to call. It tells no number beyond the free previews, gives no advice and declines other subjects. With Accept: text/event-stream the reply comes in pieces, then as a whole. Pages of other sites may not ask.',
    params: z.object({
      message: Text(MESSAGE_CHARS).describe('The question, in English'),
      history: z
        .array(Turn)
        .max(MAX_TURNS)
        .default([])
        .describe('The turns before, oldest first; only what the user said is read'),
    }),
    sample: { message: 'What is BTC doing?' },
    response: z.object({
      reply: z.string().describe('Plain text: paragraphs, then one line for each endpoint to call'),
      model: z.string().describe('Who phrased it: rules, or the name of a language model'),
      as_of: z.iso.datetime().describe('Time of the data in it'),
      source: Source,
    }),
    pieces: ({ reply }) => piecesOf(reply),
    handle: async (services: ChatServices, params) => ({
      ...(await replyTo(services, params)),
      source: services.sourceOf(SOURCE),
    }),
  })

/** A few words each; together they are the text. */
const PIECE = /(?:\S+\s*){1,6}/g
export const piecesOf = (text: string): readonly string[] => text.match(PIECE) ?? []
