/** Triggers behind the code's own conditions: they also stop code that forgets one. */

const refuse = (name: string, when: string, why: string) => `
  CREATE TRIGGER ${name} BEFORE ${when}
  BEGIN SELECT RAISE(ABORT, '${why}'); END;
`

/** A row never changes and is never removed. */
export const onlyAdded = (table: string, ...keys: string[]) =>
  neverChanged(table) + neverRemoved(table, ...keys)

export const neverChanged = (table: string) =>
  refuse(`${table}_no_update`, `UPDATE ON ${table}`, whyNot(table))

export const neverRemoved = (table: string, ...keys: string[]) =>
  refuse(`${table}_no_delete`, `DELETE ON ${table}`, whyNot(table)) + onlyOnce(table, ...keys)

/**
 * Each of `keys` is one unique column, or several with commas. They are named for `INSERT OR REPLACE`, which removes
 * rows without firing the delete triggers.
 */
export const onlyOnce = (table: string, ...keys: string[]) => {
  const isSame = (key: string) => `(${key}) = (${key.replaceAll(/\w+/g, 'NEW.$&')})`
  const isThere = keys.map((key) => `EXISTS (SELECT 1 FROM ${table} WHERE ${isSame(key)})`).join(' OR ')
  return refuse(`${table}_once`, `INSERT ON ${table} WHEN ${isThere}`, whyNot(table))
}

/** Refuses to remove a row for which `condition` does not hold. */
export const losesOnly = (table: string, condition: string) =>
  refuse(
    `${table}_from_the_old_end`,
    `DELETE ON ${table} WHEN (${condition}) IS NOT TRUE`,
    `${table} loses its oldest rows only`,
  )

const whyNot = (table: string) => `${table} is only added to`

/** These columns stay as they were written. */
export const keeps = (table: string, columns: readonly string[]) =>
  refuse(
    `${table}_keeps`,
    `UPDATE OF ${columns.join(', ')} ON ${table} WHEN ${columns.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(' OR ')}`,
    `${table} keeps what it was written with`,
  )

/** Refuses an update for which `condition` holds. */
export const forbids = (table: string, name: string, condition: string) =>
  refuse(`${table}_${name}`, `UPDATE ON ${table} WHEN ${condition}`, `${table} only moves forward`)
