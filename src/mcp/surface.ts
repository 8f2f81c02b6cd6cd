import type { Site } from '../catalog/site.ts'
import type { Clock } from '../core/time/clock.ts'
import type { CallProduct, ProductCall } from '../http/sell/call-product.ts'

/** What the tools, resources and prompts are made of. */
export type McpPorts = { site: Site; clock: Clock; callProduct: CallProduct; demoLimit: number }
/** One request, as far as what it asks for depends on it. */
export type McpCaller = Pick<ProductCall, 'client' | 'requestId' | 'token' | 'askPriceOnly'>
