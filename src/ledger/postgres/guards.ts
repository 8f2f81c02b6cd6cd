/** Triggers behind the code's own conditions: they also stop code that forgets one. */

/** Refuses what a trigger stands before, with the trigger's own words. */
export const REFUSE = `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END $$;
`

/** `when` is a condition on OLD and NEW without a query. */
export const refuse = (name: string, event: string, why: string, when?: string) => `
  CREATE TRIGGER ${name} BEFORE ${event} FOR EACH ROW ${when === undefined ? '' : `WHEN (${when})`}
  EXECUTE FUNCTION refuse('${why}');
`

const whyNot = (table: string) => `${table} is only added to`

/** A row never changes and is never removed. */
export const onlyAdded = (table: string) => neverChanged(table) + neverRemoved(table)

export const neverChanged = (table: string) =>
  refuse(`${table}_no_update`, `UPDATE ON ${table}`, whyNot(table))

export const neverRemoved = (table: string) =>
  refuse(`${table}_no_delete`, `DELETE ON ${table}`, whyNot(table)) + neverEmptied(table)

/** No row trigger fires for it. */
export const neverEmptied = (table: string) => `
  CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
  EXECUTE FUNCTION refuse('${whyNot(table)}');
`

/** These columns stay as they were written. */
export const keeps = (table: string, columns: readonly string[]) =>
  refuse(
    `${table}_keeps`,
    `UPDATE OF ${columns.join(', ')} ON ${table}`,
    `${table} keeps what it was written with`,
    columns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR '),
  )

/** Refuses an update for which `condition` holds. */
export const forbids = (table: string, name: string, condition: string) =>
  refuse(`${table}_${name}`, `UPDATE ON ${table}`, `${table} only moves forward`, condition)

/** Refuses to remove a row for which `condition` does not hold. It may ask the table, which is why it is a function. */
export const losesOnly = (table: string, condition: string) => `
  CREATE FUNCTION ${table}_loses() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (${condition}) IS NOT TRUE THEN
      RAISE EXCEPTION '${table} loses its oldest rows only' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
  END $$;
  CREATE TRIGGER ${table}_from_the_old_end BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_loses();
  ${neverEmptied(table)}
`
