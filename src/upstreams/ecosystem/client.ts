import { FOLDER as FOLDER_NAME, folderPart } from '../rules/path-parts.ts'
import { type Upstream, UpstreamError } from '../upstream.ts'
import { type Partner, PartnerFile, type TreeFile, TreeReply } from './wire.ts'

/** The project moved to a foundation of its own; its old place may stay as a copy. */
const REPOSITORIES = ['x402-foundation/x402', 'coinbase/x402'] as const
type Repository = (typeof REPOSITORIES)[number]
const FOLDER = 'typescript/site/app/ecosystem/partners-data/'
const FILE = '/metadata.json'
/** Ten thousand files of 300 bytes each. */
const MAX_TREE_BYTES = 8 * 1024 * 1024
const TREE_TIMEOUT_MS = 30_000
const MAX_FILE_BYTES = 32 * 1024

/** A file that names a partner; its content is another one when its `sha` is. */
export type PartnerEntry = { repository: Repository; folder: string; sha: string }

/** The list of x402.org, which is a folder of files. */
export type Ecosystem = {
  entries(): Promise<readonly PartnerEntry[]>
  partner(entry: PartnerEntry): Promise<Partner>
}

/** `api` lists the files, `raw` has their content. */
export function createEcosystem(api: Pick<Upstream, 'ask'>, raw: Pick<Upstream, 'ask'>): Ecosystem {
  const treeOf = (repository: Repository) =>
    api.ask({
      path: `/repos/${repository}/git/trees/main`,
      query: { recursive: 1 },
      schema: TreeReply,
      maxBytes: MAX_TREE_BYTES,
      timeoutMs: TREE_TIMEOUT_MS,
    })
  return {
    async entries() {
      let failure: unknown
      for (const repository of REPOSITORIES) {
        try {
          const found = toEntries(await treeOf(repository), repository)
          if (found.length > 0) return found
          failure = new UpstreamError('malformed', `${repository} lists no partners`)
        } catch (error) {
          if (!isElsewhere(error)) throw error
          failure ??= error
        }
      }
      throw failure
    },
    partner: async ({ repository, folder }) =>
      raw.ask({
        path: `/${repository}/main/${FOLDER}${folderPart(folder)}${FILE}`,
        schema: PartnerFile,
        maxBytes: MAX_FILE_BYTES,
      }),
  }
}

/** A repository that moved is not found, or answers with a redirect, which breaks the format. */
const isElsewhere = (error: unknown): boolean =>
  error instanceof UpstreamError && (error.fault === 'not_found' || error.fault === 'malformed')

function toEntries(files: readonly TreeFile[], repository: Repository): PartnerEntry[] {
  return files.flatMap(({ path, sha, size = 0 }) => {
    if (!(path.startsWith(FOLDER) && path.endsWith(FILE)) || size > MAX_FILE_BYTES) return []
    const folder = path.slice(FOLDER.length, -FILE.length)
    return FOLDER_NAME.test(folder) ? [{ repository, folder, sha }] : []
  })
}
