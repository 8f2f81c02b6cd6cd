import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { run } from '../../cli/verify-record/verify-record.ts'
import { recordCalibration } from '../../products/record/calibration.ts'
import { record } from '../../products/record/record.ts'
import type { Ask } from './replies.ts'

/** Answers on a port of its own until the test is over. */
export async function serveOnce(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The two addresses that a check of the record asks. */
export function serveRecord(ask: Ask): Promise<string> {
  return serveOnce(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const params = Object.fromEntries([...searchParams].map(([name, value]) => [name, Number(value)]))
    const reply = await ask(pathname === record.path ? record : recordCalibration, params)
    response.end(JSON.stringify(reply))
  })
}

export type Verified = { text: string; errors: string; code: unknown }

/** What `tollbook verify-record` prints and how it exits. */
export async function verifyRecord(...args: string[]): Promise<Verified> {
  const { exitCode: codeBefore } = process
  const [out, err] = [capture(process.stdout), capture(process.stderr)]
  try {
    await run(args)
    return { text: out.text(), errors: err.text(), code: process.exitCode }
  } finally {
    out.end()
    err.end()
    process.exitCode = codeBefore
  }
}

function capture(stream: NodeJS.WriteStream) {
  const { write } = stream
  let text = ''
  stream.write = (chunk: string | Uint8Array) => {
    text += chunk
    return true
  }
  return {
    text: () => text,
    end() {
      stream.write = write
    },
  }
}
