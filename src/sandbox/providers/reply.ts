/** What a simulated REST address answers. */
export type Reply = { status: number; body: unknown; headers?: Readonly<Record<string, string>> }
/** `undefined`: no such address. */
export type Rest = (path: string, query: URLSearchParams) => Reply | undefined

export const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 200,
  body,
  headers,
})

/** A whole number from 0 on, the fallback when it is absent, `undefined` when it is junk. */
export function wholeNumber<T>(query: URLSearchParams, name: string, fallback: T): number | T | undefined {
  const text = query.get(name)
  if (text === null || text === '') return fallback
  return /^\d{1,16}$/.test(text) ? Number(text) : undefined
}
