import { ask } from './replies.ts'
import { type Sent, shown } from './sent.ts'

/** Asks a node whether each anchor holds its root. Returns why they could not be checked. */
export async function checkAnchors(
  rpcUrl: string,
  anchors: Sent[],
  untrue: string[],
): Promise<string | undefined> {
  const call = async (method: string, ...params: string[]) => {
    const { result, error } = await ask(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    if (error || result === undefined)
      throw new Error(
        `${rpcUrl} answers ${method} with ${error ? shown(error.message ?? error) : 'no result'}: name a node of the chain`,
      )
    return result
  }
  try {
    const chain = `eip155:${Number(await call('eth_chainId'))}`
    const other = anchors.find(({ network }) => network !== chain)
    if (other) return `${rpcUrl} is a node of ${chain}, and there are anchors on ${shown(other.network)}`
    for (const { tree_size, root_hash, tx } of anchors) {
      const data = `0x${Buffer.from('tollbook').toString('hex')}${tree_size.toString(16).padStart(16, '0')}${root_hash}`
      const isTx = /^0x[0-9a-f]{64}$/.test(tx)
      const [found, receipt] = isTx
        ? [await call('eth_getTransactionByHash', tx), await call('eth_getTransactionReceipt', tx)]
        : []
      if (found?.input !== data || receipt?.status !== '0x1')
        untrue.push(
          `anchor: ${shown(tx)} does not hold the root of ${tree_size} leaves, says the node at ${new URL(rpcUrl).host}`,
        )
    }
  } catch (error) {
    return (error as Error).message
  }
}
