import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Access } from '../catalog/access.ts'
import type { Route } from '../catalog/catalog.ts'
import { testSite } from '../testing/discovery/sample-site.ts'
import { curlOf, paramsOf, resourceUrl, sampleUrl } from './sample-call.ts'

const site = testSite()
function routeOf(method: string, path: string): Route {
  const route = site.catalog.routes.find((each) => each.method === method && each.path === path)
  if (!route) throw new Error(`no ${method} ${path}`)
  return route
}

test('an address is encoded, and carries of the query what it must or what the sample shows', () => {
  const harbour = routeOf('GET', '/harbours/{name}')
  expect(resourceUrl(site, harbour)).toBe('https://harbour.test:8443/harbours/deal%20%26%20dover')
  expect(sampleUrl(site, harbour)).toBe('https://harbour.test:8443/harbours/deal%20%26%20dover?unit=ft')
  expect(resourceUrl(site, routeOf('GET', '/tides'))).toBe('https://harbour.test:8443/tides?from=2026-01-05')
})

test('an alias does not ask for what it fixes', () => {
  expect(paramsOf(routeOf('GET', '/home-harbour')).map(({ name }) => name)).toEqual(['unit'])
})

test.each([
  ['operator', 'authorization: Bearer $KEY'],
  ['wallet', 'authorization: Bearer $TOKEN'],
  ['payer', 'sign-in-with-x: $PROOF'],
] as const)('a call that needs a %s shows where its credential goes', (kind, header) => {
  const { endpoint, ...route } = routeOf('GET', '/tides')
  const access = { kind, scope: 'read' } as Access
  expect(curlOf(site, { ...route, endpoint: { ...endpoint, access } as Route['endpoint'] })).toContain(
    ` -H "${header}"`,
  )
  expect(curlOf(site, { ...route, endpoint })).not.toContain(' -H ')
})

test('a POST carries its params in the body, quoted so that a shell hands them on unchanged', () => {
  const command = curlOf(site, routeOf('POST', '/tides'))
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
  expect(words.slice(0, 5)).toEqual(['curl', '-i', '-X', 'POST', 'https://harbour.test:8443/tides'])
  expect(JSON.parse(words.at(-1) ?? '')).toEqual({ line: "it's foggy" })
})
