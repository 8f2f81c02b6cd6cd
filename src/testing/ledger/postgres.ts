import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import pg from 'pg'
import { isMissing } from '../missing.ts'

/** Databases of the machine in which tests may make schemas of their own; the first that answers. */
const { username } = userInfo()
const CANDIDATES = [
  process.env.TOLLBOOK_TEST_DATABASE_URL,
  `postgres://${username}@127.0.0.1/postgres`,
  `postgres://${username}@localhost/postgres?host=/var/run/postgresql`,
].filter((url) => url !== undefined)
const CONNECT_WITHIN_MS = 2_000

const urlOfTests = await findServer()
export const isPostgresMissing = isMissing('postgres', urlOfTests !== undefined)

/** A place for one ledger, gone when the file's tests are over. */
export async function freshSchema(): Promise<string> {
  if (urlOfTests === undefined) throw new Error('there is no PostgreSQL')
  const schema = `tollbook_test_${randomBytes(6).toString('hex')}`
  await onServer(urlOfTests, `CREATE SCHEMA ${schema}`)
  made.push(schema)
  const url = new URL(urlOfTests)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return url.href
}

/** An empty database of its own, whose address looks in the same schema as `url`. Gone with the schemas. */
export async function freshDatabase(url: string): Promise<string> {
  const name = `tollbook_test_${randomBytes(6).toString('hex')}`
  await onServer(urlOfTests ?? '', `CREATE DATABASE ${name}`)
  madeDatabases.push(name)
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

const made: string[] = []
const madeDatabases: string[] = []

/** For `afterAll` of each file that makes some. One by one: all at once would take more locks than a server has. */
export async function dropSchemas(): Promise<void> {
  for (const schema of made.splice(0)) await onServer(urlOfTests ?? '', `DROP SCHEMA ${schema} CASCADE`)
  for (const name of madeDatabases.splice(0))
    await onServer(urlOfTests ?? '', `DROP DATABASE ${name} WITH (FORCE)`)
}

async function findServer(): Promise<string | undefined> {
  for (const url of CANDIDATES) {
    const answers = await onServer(url, 'SELECT 1').then(
      () => true,
      () => false,
    )
    if (answers) return url
  }
  return undefined
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
