import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { createAddressOf } from '../http/sell/address-of.ts'
import { findJsonPayment } from '../payments/read/json-payment.ts'
import type { McpCaller, McpPorts } from './surface.ts'
import { toFailure, toResult } from './tool-result.ts'
import { toolProducts } from './tools.ts'

/** As the MCP transport of x402 names it. */
const PAYMENT = 'x402/payment'
const SHOWN_CHARS = 100

export type ToolCall = { name: string; args: unknown; meta: Readonly<Record<string, unknown>> | undefined }
export type CallTool = (call: ToolCall, caller: McpCaller, path: string) => Promise<CallToolResult>

/** A tool is its product: read, let in, counted and charged as a GET of the product's address. */
export function createCallTool({ site, clock, callProduct, demoLimit }: McpPorts): CallTool {
  const tools = new Map(
    [...toolProducts(site)].map(([name, product]) => [
      name,
      { product, addressOf: createAddressOf(product) },
    ]),
  )
  return async ({ name, args, meta }, caller, path) => {
    const tool = tools.get(name)
    if (!tool) throw unknownTool(name, [...tools.keys()])
    const sent = meta?.[PAYMENT]
    try {
      const { product, addressOf } = tool
      const payment = findJsonPayment(sent)
      const called = await callProduct({ ...caller, product, address: () => addressOf(args), payment, path })
      return toResult(called, { demoLimit, nowMs: clock.now() })
    } catch (error) {
      return toFailure(error, caller.requestId, sent !== undefined)
    }
  }
}

function unknownTool(name: string, known: readonly string[]): ProtocolError {
  const shown = JSON.stringify(name.slice(0, SHOWN_CHARS))
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `there is no tool ${shown}; the tools are ${known.join(', ')}`,
  )
}
