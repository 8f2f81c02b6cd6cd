import { isDeepStrictEqual } from 'node:util'
import { capture, findHeader, type Place } from './capture.ts'

/** A route of the service, as its OpenAPI document lists it. */
export type MirroredRoute = { path: string; isPaid: boolean }
/** The envelope of our 402, which the others are asked to send as well. */
export type Envelope = {
  resource: { url: string; description: string; mimeType: string; serviceName: string; tags: string[] }
  accepts: Requirement[]
  extensions: Record<string, unknown>
}
export type Requirement = {
  scheme: string
  network: `${string}:${string}`
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Record<string, unknown>
}

/** As our OpenAPI document lists them. */
export async function readRoutes(ours: Place): Promise<MirroredRoute[]> {
  const { body } = await capture(ours, '/openapi.json')
  const { paths } = JSON.parse(body) as { paths: Record<string, { get?: object }> }
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get ? { path, isPaid: 'x-payment-info' in get } : [],
  )
}

/** `path` must be answered with 402. */
export async function requireSameChallenge(
  name: string,
  server: Place,
  job: { envelope: Envelope },
  path: string,
): Promise<void> {
  const reply = await capture(server, path)
  const header = Buffer.from(findHeader(reply, 'PAYMENT-REQUIRED') ?? '', 'base64').toString()
  const envelope = JSON.parse(header || '{}') as Partial<Envelope>
  for (const part of ['resource', 'accepts', 'extensions'] as const)
    if (!isDeepStrictEqual(envelope[part] ?? {}, job.envelope[part]))
      throw new Error(`${name} offers other ${part}: ${JSON.stringify(envelope[part])}`)
}
