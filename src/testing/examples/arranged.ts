import type { Asked, Reply } from './ask.ts'

/** How an endpoint is asked where its sample alone would show nothing, or how it was answered already. */
export type Arranged = Asked & { reply?: Reply }
export type Arrangement = Record<string, Arranged>

/** The body of a call that must succeed. */
export async function bodyOf(call: Promise<Response>): Promise<Fields> {
  const reply = await call
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${reply.url} answered ${reply.status}: ${text}`)
  return JSON.parse(text)
}
// biome-ignore lint/suspicious/noExplicitAny: what is asked for next is read field by field
export type Fields = any

export const jsonInit = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
