import { z } from 'zod'

/** What a scripted model understands of a request: the parts that its client sends. */
const Prompt = z.object({
  given: z.record(z.string(), z.string()).default({}),
  facts: z.array(z.object({ id: z.string(), says: z.string(), value: z.unknown() })).default([]),
})
export type Prompt = z.output<typeof Prompt>

export const ChatRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
  response_format: z.object({ type: z.string() }).optional(),
  max_tokens: z.number().optional(),
  temperature: z.number().optional(),
})
export type ChatRequest = z.output<typeof ChatRequest>

/** The facts of the last message; none where it holds no JSON. */
export function readPrompt({ messages }: ChatRequest): Prompt {
  try {
    return Prompt.parse(JSON.parse(messages.at(-1)?.content ?? ''))
  } catch {
    return { given: {}, facts: [] }
  }
}
