import { z } from 'zod'
import type { Route } from '../catalog/catalog.ts'
import { defineDocument } from '../catalog/endpoints/document.ts'
import type { Site } from '../catalog/site.ts'
import { MODES } from '../config/variables/variable.ts'
import { demoTerms, descriptionOf, NAME, noticeOf, PAYING_CODE, PROGRAM, SDK } from './about.ts'
import { docsUrl, findPath, paidRoutes, urlOf } from './address.ts'
import { json, markdown } from './json-document.ts'
import { blocks, fence } from './markdown-text.ts'
import { curlOf, sampleUrl } from './sample-call.ts'

const Step = z.object({
  title: z.string().min(1),
  text: z.string().min(1),
  code: z.string().min(1),
  language: z.enum(['sh', 'js']),
})
const Quickstart = z.object({
  title: z.string().min(1),
  description: z.string().min(1),
  mode: z.enum(MODES),
  notice: z.string().min(1).optional(),
  steps: z.array(Step).min(1),
  next: z.record(z.string(), z.url()),
})
type Step = z.input<typeof Step>

export const quickstart = defineDocument({
  id: 'document.quickstart',
  path: '/quickstart',
  summary: 'Developer quickstart',
  description: 'From the first free call to the first paid one, step by step, with commands to copy.',
  renderings: [json({ schema: Quickstart, build: toQuickstart }), markdown(quickstartText)],
})

const TITLE = `${NAME} quickstart`

function toQuickstart(site: Site): z.input<typeof Quickstart> {
  const notice = noticeOf(site)
  return {
    title: TITLE,
    description: descriptionOf(site),
    mode: site.mode,
    ...(notice === '' ? {} : { notice }),
    steps: stepsOf(site),
    next: {
      pricing: urlOf(site, 'document.pricing'),
      openapi: urlOf(site, 'document.openapi'),
      everything: urlOf(site, 'document.llms_full'),
    },
  }
}

function stepsOf(site: Site): Step[] {
  const look: Step = {
    title: 'Look around',
    text: 'The directory lists every address with its price. It is free, like every description of the service.',
    code: `curl ${urlOf(site, 'document.directory')}`,
    language: 'sh',
  }
  const [first] = paidRoutes(site.catalog)
  return first ? [look, ...buyingSteps(site, first)] : [look]
}

function buyingSteps(site: Site, route: Route): Step[] {
  const free: Step = {
    title: 'Call a paid endpoint for free',
    text: demoTerms(site).via,
    code: curlOf(site, route),
    language: 'sh',
  }
  const challenge: Step = {
    title: 'See what it costs',
    text: 'The reply is 402 and says the price, the networks and where to pay. Nothing is charged.',
    code: `curl -i '${withoutDemo(sampleUrl(site, route))}'`,
    language: 'sh',
  }
  const install: Step = {
    title: 'Install a client that pays',
    text: `Any x402 client will do. In Python: ${SDK.py_generic}. ${mcpWords(site)}`,
    code: SDK.node,
    language: 'sh',
  }
  const pay: Step = {
    title: 'Pay for a call',
    text: `The client meets the 402, signs exactly the stated amount and asks again. ${PROGRAM.save}.`,
    code: `${PAYING_CODE}\n\nconst reply = await pay('${withoutDemo(sampleUrl(site, route))}')\nconsole.log(reply.status, await reply.json())`,
    language: 'js',
  }
  const run: Step = {
    title: 'Run it',
    text: `${PROGRAM.key}${testWallets(site)}`,
    code: PROGRAM.run,
    language: 'sh',
  }
  return [...(site.demoCallsPerDay > 0 ? [free] : []), challenge, install, pay, run]
}

/** Agents that speak MCP need no client of their own. */
function mcpWords({ baseUrl, catalog }: Site): string {
  const path = findPath(catalog, 'mcp.call')
  return path === undefined
    ? `As an MCP server for an agent: ${SDK.agentcash_mcp}.`
    : `Agents connect to ${baseUrl}${path} over MCP and pay in the same way.`
}

function withoutDemo(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}demo=0`
}

/** Where money is real nobody hands out keys, and the address does not exist. */
function testWallets(site: Site): string {
  return findPath(site.catalog, 'sandbox.wallets')
    ? ` Here ${urlOf(site, 'sandbox.wallets')} gives you one with play money: \`private_key\` under \`evm\`.`
    : ''
}

function quickstartText(site: Site): string {
  const steps = stepsOf(site).flatMap(({ title, text, code, language }, index) => [
    `## ${index + 1}. ${title}`,
    text,
    fence(language, code),
  ])
  const more = [
    `- Prices: ${urlOf(site, 'document.pricing')}`,
    `- Reference: ${docsUrl(site)}`,
    `- API description: ${urlOf(site, 'document.openapi')}`,
    `- Everything in one text: ${urlOf(site, 'document.llms_full')}`,
  ]
  return blocks(`# ${TITLE}`, descriptionOf(site), ...steps, '## Further', more.join('\n'))
}
