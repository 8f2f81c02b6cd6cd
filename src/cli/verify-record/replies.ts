import { createReadStream, openSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { isPlain, MOST_BYTES, MOST_PAGES, parseJson, type Sent, shown } from './sent.ts'

const ANSWER_WITHIN_MS = 30_000

/** Fetches JSON; what goes wrong is said with the address, the cause and what to do. */
export async function ask(url: string, init: RequestInit = {}): Promise<Sent> {
  const causes: [RegExp, string][] = [
    [/ENOTFOUND|EAI_AGAIN/, 'nobody knows this host name: check its spelling, and the network'],
    [/ECONNREFUSED/, 'nothing listens there: check host and port, and whether the service runs'],
    [
      /TIMEOUT|TimeoutError|ETIMEDOUT/,
      `no answer within ${ANSWER_WITHIN_MS / 1000} s: try again later, or check the address`,
    ],
    [
      /CERT|SSL|TLS|EPROTO|SELF_SIGNED|ISSUER/,
      'no secure connection: check the certificate, and http against https',
    ],
    [
      /ECONNRESET|UND_ERR_SOCKET|EPIPE|HPE_/,
      'the connection was cut: try again, and check http against https',
    ],
    [/UNREACH/, 'there is no way to that host: check the network'],
  ]
  const failed = (error: Sent): never => {
    const code = error.cause?.code ?? error.name
    const [, why = `${shown(error.cause?.message || error.message)}: check the address`] =
      causes.find(([of]) => of.test(String(code))) ?? []
    throw new Error(`${url}: ${why} (${code})`)
  }
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  const reply = await fetch(url, { ...init, signal }).catch(failed)
  const text = await readBody(reply).catch(failed)
  if (text === undefined)
    throw new Error(`${url} answers with more than ${MOST_BYTES / 2 ** 20} MB: it is no record`)
  const body = parseJson(text)
  if (!isPlain(body))
    throw new Error(
      `${url} answers JSON that is nested deeper than any record, or has numbers beyond all bounds`,
    )
  if (reply.status === 404)
    throw new Error(
      `${url} answers 404: no record is kept there; name the base address of a Tollbook service`,
    )
  if (!reply.ok)
    throw new Error(
      `${url} answers ${reply.status}: ${body?.detail ? shown(body.detail, 200) : 'try again later, or check the address'}`,
    )
  if (body === undefined)
    throw new Error(
      `${url} answers ${/^\s*</.test(text) ? 'a web page' : 'text'}, not JSON: name the base address of a Tollbook service`,
    )
  return body
}
/** Undefined where it is too long, as it is after unpacking. */
async function readBody({ body }: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > MOST_BYTES) return undefined
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

/** Far enough that the rest can look at it: the figures first, then pages of the record. */
function isReply(body: Sent, nth: number): boolean {
  const isPage =
    Array.isArray(body?.entries) &&
    Array.isArray(body.heads) &&
    Array.isArray(body.anchors) &&
    body.totals &&
    'head' in body
  if (!isPlain(body)) return false
  return nth === 0 ? Boolean(body?.overall && Array.isArray(body.coins)) : Boolean(isPage)
}

/** Page by page over HTTP; `--export` makes a file of it, which appears once it is whole. */
export async function* fetchReplies(base: string, file?: string): AsyncGenerator<Sent> {
  for (
    let [path, from, nth]: [string, number | null, number] = ['/record/calibration', -1, 0];
    from !== null;
    path = `/record?from=${from}&limit=1000`
  ) {
    const url = base.replace(/\/$/, '') + path
    const body = await ask(url)
    if (!isReply(body, nth))
      throw new Error(`${url} answers JSON that is no record: name the base address of a Tollbook service`)
    if (file) writeFileSync(`${file}.part`, `${JSON.stringify(body)}\n`, { flag: nth ? 'a' : 'w' })
    if (process.stderr.isTTY)
      process.stderr.write(`\r${shown(body.next ?? body.tree_size ?? body.head?.tree_size, 12)} leaves `)
    const [got, due] = [body.entries?.length, Number(from) + body.entries?.length]
    const isGoingOn = got > 0 && body.next === due && nth < MOST_PAGES
    if (nth > 0 && body.next !== null && !isGoingOn)
      throw new Error(
        `${url}: next is ${shown(body.next)} after ${got} entries: expected ${due}, or null at the end; no record has more than ${MOST_PAGES} pages`,
      )
    from = nth++ === 0 ? 0 : body.next
    yield body
  }
  if (file) renameSync(`${file}.part`, file)
}

/** Lines that end with a line feed only: others may stand in JSON. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let parts: string[] = []
  let length = 0
  for await (const chunk of createReadStream(file, { fd: openSync(file, 'r'), encoding: 'utf8' })) {
    const [first = '', ...more] = String(chunk).split('\n')
    parts.push(first)
    length += first.length
    if (length > MOST_BYTES)
      throw new Error(
        `${file} has a line of more than ${MOST_BYTES / 2 ** 20} MB: it is not a file that --export wrote`,
      )
    for (const next of more) {
      yield parts.join('')
      ;[parts, length] = [[next], next.length]
    }
  }
  if (length > 0) yield parts.join('')
}

export async function* readReplies(file: string): AsyncGenerator<Sent> {
  const isThere = statSync(file, { throwIfNoEntry: false })
  if (!isThere)
    throw new Error(
      `there is no file ${file}: name one that --export wrote, or an address that begins with http:// or https://`,
    )
  if (isThere.isDirectory()) throw new Error(`${file} is a directory: name a file in it that --export wrote`)
  let [nth, body]: Sent[] = [0]
  for await (const line of linesOf(file)) {
    body = parseJson(line)
    if (body === undefined && nth > 0)
      throw new Error(`${file} is cut off or damaged in line ${nth + 1}: export the record again`)
    if (!isReply(body, nth))
      throw new Error(`${file} is not a file that --export wrote: line ${nth + 1} is something else`)
    if (++nth) yield body
  }
  if (nth < 2 || body.next !== null)
    throw new Error(
      `${file} is ${nth === 0 ? 'empty' : `cut off after line ${nth}`}: export the record again`,
    )
}
