import { get } from 'node:http'

/** A reply byte for byte, but for what node writes itself: date, connection, keep-alive. */
export type CapturedReply = { status: number; headers: string[]; body: string }
export type Place = { host: string; port: number }

const WRITTEN_BY_NODE = new Set(['date', 'connection', 'keep-alive'])

export function capture(
  place: Place,
  path: string,
  headers: Record<string, string> = {},
): Promise<CapturedReply> {
  return new Promise((resolve, reject) => {
    const request = get({ ...place, path, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const kept: string[] = []
      for (let i = 0; i + 1 < response.rawHeaders.length; i += 2) {
        const [name = '', value = ''] = response.rawHeaders.slice(i, i + 2)
        if (!WRITTEN_BY_NODE.has(name.toLowerCase())) kept.push(name, value)
      }
      resolve({ status: response.statusCode ?? 0, headers: kept, body: Buffer.concat(chunks).toString() })
    })
    request.on('error', reject)
  })
}

export function findHeader({ headers }: CapturedReply, name: string): string | undefined {
  const at = headers.findIndex((each, i) => i % 2 === 0 && each.toLowerCase() === name.toLowerCase())
  return at < 0 ? undefined : headers[at + 1]
}
