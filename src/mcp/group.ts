import { z } from 'zod'
import { defineProtocol, type ProtocolCall, type ProtocolReply } from '../catalog/endpoints/protocol.ts'
import type { Group } from '../catalog/group.ts'
import { MESSAGE_LIMIT } from '../http/json-rpc/admit-messages.ts'
import { BATCH_LIMIT, ID_CHARS } from '../http/json-rpc/read-batch.ts'
import { Described } from './describe.ts'

export type McpServices = {
  describe: (call: ProtocolCall) => ProtocolReply
  answerMessages: (call: ProtocolCall) => Promise<ProtocolReply>
}

const PATH = '/mcp'
const Nothing = z.object({})

const TextId = z.string().max(ID_CHARS)
/** The range that JSON-RPC keeps for itself; every code here is of it. */
const RpcCode = z.int().min(-32_768).max(-32_000)

const Message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([TextId, z.int()]).optional().describe('Absent from a notification'),
  method: z.string().min(1),
  params: z.record(z.string(), z.unknown()).optional(),
})
const Answer = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([TextId, z.int(), z.null()]),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: RpcCode, message: z.string().min(1) }).optional(),
})

const describe = defineProtocol({
  id: 'mcp.describe',
  method: 'GET',
  path: PATH,
  summary: 'What the MCP server offers, for people',
  description: 'Tools with their prices, protocol versions and how to pay, as JSON or plain text.',
  params: Nothing,
  sample: {},
  answer: {
    schema: Described,
  },
  handle: (services: McpServices, call) => services.describe(call),
})

const messages = defineProtocol({
  id: 'mcp.call',
  method: 'POST',
  path: PATH,
  limit: MESSAGE_LIMIT,
  summary: 'MCP over streamable HTTP: ten tools, paid per call',
  description:
    'JSON-RPC 2.0 messages of the Model Context Protocol, alone or up to 20 in a batch, at most 256 KiB. Works without a session in the revisions with and without a handshake. A tool that is not paid for answers isError with the x402 terms; the payment goes into _meta["x402/payment"].',
  params: Nothing,
  sample: {},
  message: {
    schema: z.union([Message, z.array(Message).min(1).max(BATCH_LIMIT)]),
    example: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_price', arguments: { token: 'BTC' } },
    },
  },
  answer: {
    schema: z.union([Answer, z.array(Answer).min(1).max(BATCH_LIMIT)]),
  },
  handle: (services: McpServices, call) => services.answerMessages(call),
})

export const mcpGroup: Group<McpServices> = {
  tag: 'mcp',
  about: 'The Model Context Protocol: the same products as tools for models.',
  endpoints: [describe, messages],
}
