import type { Endpoint, Route } from '../catalog/catalog.ts'
import type { Site } from '../catalog/site.ts'
import { fence, table } from './markdown-text.ts'
import { costText } from './prices/price.ts'
import { beforeCall, curlOf, paramsOf } from './sample-call.ts'

/** Of the addresses of an endpoint the one that is its own; the others are aliases. */
export const isOwn = ({ endpoint, path }: Route): boolean => endpoint.path === path

export const headingOf = ({ method, path }: Route): string => `${method} ${path}`

/** All about one endpoint, below a heading. Pages, pixels and redirects have no example. */
export function referenceText(site: Site, route: Route): string[] {
  const { endpoint } = route
  const head = `## ${headingOf(route)}`
  if (endpoint.kind === 'protocol')
    return [
      head,
      endpoint.description,
      paramsText(route),
      ...exampleText(site, route, endpoint.answer.example),
    ]
  if (endpoint.kind !== 'product') return [head, endpoint.description, aliasText(site, endpoint)]
  return [
    head,
    `${endpoint.description} ${costText(endpoint)}`,
    paramsText(route),
    aliasText(site, endpoint),
    ...exampleText(site, route, endpoint.example),
  ]
}

function paramsText(route: Route): string {
  const params = paramsOf(route).map((param) => [
    `\`${param.name}\``,
    param.in,
    param.required ? 'yes' : 'no',
    param.description,
  ])
  return params.length > 0 ? table(['Param', 'In', 'Required', 'Meaning'], params) : ''
}

const exampleText = (site: Site, route: Route, reply: unknown): string[] => [
  beforeCall(route),
  fence('sh', curlOf(site, route)),
  ...(reply === undefined ? [] : ['Reply:', fence('json', JSON.stringify(reply, null, 2))]),
]

export function aliasText({ catalog }: Site, endpoint: Endpoint): string {
  const others = catalog.routes.filter((route) => route.endpoint === endpoint && !isOwn(route))
  const texts = others.map(({ path, preset }) => {
    const fixed = Object.entries(preset).map(([name, value]) => `${name}=${value}`)
    return fixed.length > 0 ? `\`${path}\` (${fixed.join(', ')})` : `\`${path}\``
  })
  return texts.length > 0 ? `Also at ${texts.join(', ')}.` : ''
}
