import { type JsonRpc, JsonRpcRefusal } from '../../../payments/chain/json-rpc.ts'
import type { NodeKind } from '../../../payments/chain/nodes/node-kind.ts'

const UNKNOWN_METHOD = -32_601
/** Some providers have another code for it. */
const UNKNOWN_WORDS = /method not found|(unsupported|unknown) method/i

/** Why a node is not of this chain; undefined where it is. One of another kind of chain does not even know the question. */
export async function findStranger(
  chain: string,
  kind: Pick<NodeKind, 'findStranger'>,
  rpc: JsonRpc,
): Promise<string | undefined> {
  try {
    return await kind.findStranger(rpc)
  } catch (error) {
    if (!(error instanceof JsonRpcRefusal) || !isUnknownMethod(error)) throw error
    return `does not look like a node of ${chain} (${error.message})`
  }
}

const isUnknownMethod = ({ code, message }: JsonRpcRefusal): boolean =>
  code === UNKNOWN_METHOD || UNKNOWN_WORDS.test(message)
