import { TollbookError } from './tollbook-error.ts'
import { fromBase64, type Settlement } from './x402.ts'

/** What a call brought back: the data, and how it was paid for (undefined for a free call). */
export type Bought<T> = { data: T; settlement: Settlement | undefined; contentDigest: string | undefined }

/** Throws where the body is no JSON or was cut off. */
export async function readBought<T>(reply: Response): Promise<Bought<T>> {
  const data = (await reply.json()) as T
  const encoded = reply.headers.get('payment-response')
  return {
    data,
    settlement: encoded ? (fromBase64(encoded) as Settlement | undefined) : undefined,
    contentDigest: reply.headers.get('content-digest') ?? undefined,
  }
}

/** Undefined where it is no JSON, as a proxy's own pages, or was cut off. */
export const bodyOf = (reply: Response): Promise<unknown> => reply.json().catch(() => undefined)

/** A refusal that is final, in the service's own words. */
export async function failureOf(reply: Response, payment?: string): Promise<TollbookError> {
  const { status } = reply
  const body = await bodyOf(reply)
  if (payment !== undefined && status === 402) {
    const next = 'no other one was signed; the next call signs anew'
    return new TollbookError(`the payment was refused: ${messageOf(body)}; ${next}`, {
      kind: 'refused',
      status,
      body,
    })
  }
  const retryAfterMs = findRetryAfterMs(reply)
  return new TollbookError(messageOf(body), { kind: 'failed', status, body, payment, retryAfterMs })
}

/** Seconds, or the date in the form of HTTP. */
export function findRetryAfterMs({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

type Failure = {
  error?: string
  detail?: string | { loc: (string | number)[]; msg: string }[]
  hint?: string
}

/** In plain words, whichever of the service's three forms it has. */
function messageOf(body: unknown): string {
  const { error, detail, hint } = (body ?? {}) as Failure
  const issues = Array.isArray(detail)
    ? detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('; ')
    : detail
  const reason = [error, issues].filter(Boolean).join(': ') || 'refused without a reason'
  return [reason, hint].filter(Boolean).join('; ')
}
