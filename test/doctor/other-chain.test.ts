import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/http/listen.ts'
import { liveEnvironment } from '../../src/testing/config/live-environment.ts'
import { state } from './examined.ts'

/** As a node answers a method that its chain does not have. */
async function startNode(error: object): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(text).id, error }))
  })
  const port = await listen(server, '127.0.0.1', 0)
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${port}`
}

const UNKNOWN = [
  { code: -32601, message: 'Method not found' },
  { code: -32600, message: 'Unsupported method: x on THAT_NETWORK' },
]
const NODES = [
  ['base-node', 'TOLLBOOK_EVM_RPC_URL', 'Base'],
  ['solana-node', 'TOLLBOOK_SVM_RPC_URL', 'Solana'],
  ['token-node', 'TOLLBOOK_INTEL_RPC_URL', 'Base'],
] as const

test.each(NODES)('%s names a node of another chain as that', async (name, variable, chain) => {
  for (const error of UNKNOWN)
    expect(await state({ ...liveEnvironment, [variable]: await startNode(error) }, name)).toMatchObject({
      state: 'failure',
      what: expect.stringContaining(`does not look like a node of ${chain}`),
      next: [expect.stringMatching(new RegExp(`^name a node of .*${chain}.* in ${variable}$`))],
    })
})

test.each(NODES)('%s that refuses for another reason is none of that', async (name, variable) => {
  const url = await startNode({ code: -32000, message: 'this key is not good' })
  expect(await state({ ...liveEnvironment, [variable]: url }, name)).toMatchObject({
    what: expect.stringContaining('this key is not good'),
    next: [expect.stringContaining('whether the key in the address is good')],
  })
})
