import type { Path } from '../../catalog/path.ts'
import type { Html } from './html.ts'

/** What is particular of one page; the shell stands around it. */
export type Page = {
  path: Path
  title: string
  /** One sentence, for search engines and for who shares the address. */
  description: string
  main: Html
  /** Names of assets that the page runs, beside what every page runs. */
  scripts?: readonly string[]
  /** Where the same is to be read as Markdown. */
  markdownAt?: Path | undefined
  /** Not for search engines: it is of one visitor, or of the operator, or a failure. */
  isPrivate?: boolean
}
