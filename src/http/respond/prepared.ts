import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { HeaderList } from '../headers.ts'
import type { Reply } from '../reply.ts'
import { etagOf, isKnown } from './etag.ts'

/** What of a request decides about a reply that is the same for everybody. */
export type Asked = Pick<IncomingHttpHeaders, 'accept' | 'accept-encoding' | 'if-none-match'>
/** Copies a reply that was made once, in the encoding that the caller takes. */
export type Prepared = (asked: Asked) => Reply | Promise<Reply>

type Whole = {
  body: Buffer
  /** Without ETag and Vary. */
  headers: HeaderList
  contentSecurityPolicy?: string | undefined
  /** Soon made anew: not worth much work. */
  isShortLived?: boolean
  /** What besides the encoding decides about the reply. */
  vary?: string | undefined
}
type Encoding = 'br' | 'gzip'
type Form = { etag: string; full: Reply; unchanged: Reply }

/** Below this the headers that tell of the encoding cost what it saves. */
const WORTH_BYTES = 1_000

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Compressed forms are made when first asked for, beside the event loop, and kept. */
export function prepareReply(whole: Whole): Prepared {
  const plain = formOf(whole, undefined, whole.body)
  const forms = new Map<Encoding, Form | Promise<Form>>()
  const encoded = (encoding: Encoding): Form | Promise<Form> => {
    const known = forms.get(encoding)
    if (known) return known
    const making = compress(encoding, whole).then(
      (bytes) => {
        const form = formOf(whole, encoding, bytes)
        forms.set(encoding, form)
        return form
      },
      (error) => {
        forms.delete(encoding)
        throw error
      },
    )
    forms.set(encoding, making)
    return making
  }
  const isWorth = whole.body.length >= WORTH_BYTES
  return (asked) => {
    const encoding = isWorth ? encodingFor(asked['accept-encoding']) : undefined
    const form = encoding === undefined ? plain : encoded(encoding)
    return form instanceof Promise ? form.then((made) => choose(made, asked)) : choose(form, asked)
  }
}

const choose = ({ etag, full, unchanged }: Form, asked: Asked): Reply =>
  isKnown(asked['if-none-match'], etag) ? unchanged : full

/** Brotli before gzip, where the caller takes it. Nobody is sent what he did not name. */
function encodingFor(accept: string | undefined): Encoding | undefined {
  if (accept === undefined) return undefined
  const taken = accept
    .split(',', ENCODINGS_READ)
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.split(';')[0]?.trim())
  return taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : undefined
}

const ENCODINGS_READ = 20
const BEST = { brotli: 9, gzip: constants.Z_BEST_COMPRESSION }
const QUICK = { brotli: 4, gzip: constants.Z_BEST_SPEED }

function compress(encoding: Encoding, { body, isShortLived }: Whole): Promise<Buffer> {
  const level = isShortLived ? QUICK : BEST
  if (encoding === 'gzip') return zip(body, { level: level.gzip })
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: level.brotli,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  })
}

/** A strong tag names bytes, so each encoding has its own. */
function formOf(whole: Whole, encoding: Encoding | undefined, bytes: Buffer): Form {
  const { headers, contentSecurityPolicy, vary } = whole
  const etag = etagOf(bytes)
  const varies = [vary, whole.body.length >= WORTH_BYTES && 'Accept-Encoding'].filter(Boolean).join(', ')
  const validators = ['ETag', etag, ...(varies === '' ? [] : ['Vary', varies])]
  const told = [...headers, ...validators, ...(encoding ? ['Content-Encoding', encoding] : [])]
  // A byte per character, as replies are written fastest.
  const full = { status: 200, headers: told, body: bytes.toString('latin1'), bytes: bytes.length }
  const typeless = headers.filter((_, at) => headers[at - (at % 2)] !== 'Content-Type')
  const unchanged = { status: 304, headers: [...typeless, ...validators], body: '', bytes: 0 }
  // Headers of a 304 replace those that the browser has kept, so the page it shows again needs its policy there too.
  const policy = contentSecurityPolicy === undefined ? {} : { contentSecurityPolicy }
  return { etag, full: { ...full, ...policy }, unchanged: { ...unchanged, ...policy } }
}
