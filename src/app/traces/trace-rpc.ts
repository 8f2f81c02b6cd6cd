import type { JsonRpc } from '../../payments/chain/json-rpc.ts'
import { inSpan } from './current.ts'
import { KIND } from './span.ts'

/** The same node; its place in the list stands for its address, which may hold a key. */
export function traceRpc(rpc: JsonRpc, chain: string, node: number): JsonRpc {
  const about = (method: string, calls: number) => ({
    name: `chain ${method}`,
    kind: KIND.client,
    attributes: {
      'rpc.system': 'jsonrpc',
      'rpc.method': method,
      'tollbook.chain': chain,
      'tollbook.node': node,
      'tollbook.calls': calls,
    },
  })
  return {
    call: (method, ...asked) => inSpan(about(method, 1), () => rpc.call(method, ...asked)),
    batch: (calls, ...asked) => inSpan(about('batch', calls.length), () => rpc.batch(calls, ...asked)),
  }
}
