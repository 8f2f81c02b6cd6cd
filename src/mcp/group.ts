import { z } from 'zod'
import { defineProtocol, type ProtocolCall, type ProtocolReply } from '../catalog/endpoints/protocol.ts'
import type { Group } from '../catalog/group.ts'
import { MESSAGE_LIMIT } from '../http/json-rpc/admit-messages.ts'
import { Described } from './describe.ts'

export type McpServices = {
  describe: (call: ProtocolCall) => ProtocolReply
  answerMessages: (call: ProtocolCall) => Promise<ProtocolReply>
}

const PATH = '/mcp'
const Nothing = z.object({})

const Message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional().describe('Absent from a notification'),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
})
const Answer = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).nullable(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
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
    example: {
      name: 'Tollbook',
      version: '2.0.0',
      description: 'Market data and five-minute trading signals',
      transport: 'streamable-http',
      url: 'https://example.com/mcp',
      protocol_versions: ['2026-07-28', '2025-11-25'],
      free_calls: '5 calls a day are free',
      payment: 'The signed payment goes into _meta["x402/payment"]',
      docs: 'https://example.com/llms-full.txt',
      tools: [
        { name: 'get_price', title: 'Price of a token', price_usdc: 0.001, description: '$0.001 per call.' },
      ],
    },
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
    schema: z.union([Message, z.array(Message).min(1).max(20)]),
    example: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_price', arguments: { token: 'BTC' } },
    },
  },
  answer: {
    schema: z.union([Answer, z.array(Answer)]),
    example: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '{"token":"BTC"}' }] } },
  },
  handle: (services: McpServices, call) => services.answerMessages(call),
})

export const mcpGroup: Group<McpServices> = {
  tag: 'mcp',
  about: 'The Model Context Protocol: the same products as tools for models.',
  endpoints: [describe, messages],
}
