import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createResponseReader } from './response-reader.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nDate: now\r\n\r\nhello'
const refused = 'HTTP/1.1 402 Payment Required\r\ncontent-type: x\r\ncontent-length: 2\r\n\r\n{}'
const unchanged = 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'

/** Feeds the pieces through one reused buffer, as the sockets do. */
function statusesOf(pieces: readonly string[]): number[] {
  const shared = Buffer.alloc(4_096)
  const reader = createResponseReader()
  return pieces.flatMap((piece) => reader.read(shared, shared.write(piece, 'latin1')) ?? [])
}

describe('response reader', () => {
  it('reads whole responses, in either spelling and without a body', () => {
    expect(statusesOf([ok, refused, unchanged, ok])).toEqual([200, 402, 304, 200])
  })

  it('gives the same whatever the pieces are', () => {
    const responses = [ok, unchanged, refused]
    const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 })
    fc.assert(
      fc.property(cuts, (lengths) => {
        const pieces = responses.flatMap((text) => split(text, lengths))
        expect(statusesOf(pieces)).toEqual([200, 304, 402])
      }),
    )
  })

  it('tells whether the head named a header', () => {
    const reader = createResponseReader(['X-Paid', 'x-paid'])
    const had = (text: string) => {
      reader.read(Buffer.from(text, 'latin1'), text.length)
      return reader.hadName()
    }
    const length = 'Content-Length: 11'
    const inBody = `HTTP/1.1 200 OK\r\n${length}\r\n\r\n\r\nX-Paid: 1`
    expect(had(`HTTP/1.1 200 OK\r\nx-paid: 1\r\n${length}\r\n\r\n12345678901`)).toBe(true)
    expect(had(inBody)).toBe(false)
  })

  it('refuses what it cannot measure', () => {
    expect(() => statusesOf([`${ok}more`])).toThrow(/after the end/)
    expect(() => statusesOf(['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'])).toThrow(
      /without Content-Length/,
    )
  })
})

function split(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = []
  let rest = text
  for (const length of lengths) {
    if (rest.length <= length) break
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return [...pieces, rest]
}
