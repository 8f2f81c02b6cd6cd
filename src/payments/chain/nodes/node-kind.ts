import type { JsonRpc } from '../json-rpc.ts'

/** What a node of one kind of chain is asked about itself. */
export type NodeKind = {
  /** What is wrong with a node of another chain; undefined for one of ours. */
  findStranger(rpc: JsonRpc): Promise<string | undefined>
  /** Asks for what a purchase needs, so that a node which refuses that is not well. */
  readHead(rpc: JsonRpc): Promise<Head>
  /** A head that stood still for longer is stale; undefined where blocks come only when something happens. */
  staleAfterMs: number | undefined
}
export type Head = { height: number; timeMs: number | undefined }

/** A fault whose text everybody may see. */
export class NodeFault extends Error {}
