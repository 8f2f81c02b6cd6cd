import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ASSETS, ASSETS_VERSION, assetText } from './assets.ts'

const FOLDER = new URL('../assets/', import.meta.url)
const paths = new Set(ASSETS.map(({ path }) => path))
const scripts = ASSETS.filter(({ path }) => path.endsWith('.js'))

test('whatever a script imports is served, and asked for by the version of all files', () => {
  const imports = scripts.flatMap(({ path, bytes }) =>
    [...bytes.toString().matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(
      ([, name = '']) => new URL(name, `http://host${path}`),
    ),
  )
  expect(imports.length).toBeGreaterThan(50)
  expect(imports.filter(({ pathname }) => !paths.has(pathname))).toEqual([])
  expect(new Set(imports.map(({ search }) => search))).toEqual(new Set([`?v=${ASSETS_VERSION}`]))
})

test('every sheet is part of the one that is served', () => {
  const sheet = assetText('tollbook.css')
  const sources = readdirSync(new URL('styles/', FOLDER))
  expect(sources.length).toBeGreaterThan(5)
  for (const name of sources) expect(sheet).toContain(readFileSync(new URL(`styles/${name}`, FOLDER), 'utf8'))
  expect([...paths].filter((path) => path.endsWith('.css'))).toEqual(['/assets/tollbook.css'])
})

test('files that are not for browsers are not served', () => {
  expect([...paths].filter((path) => !/\.(js|css|png)$/.test(path))).toEqual([])
})
