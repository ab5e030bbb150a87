import type { Field } from './entity.ts';
import { withArticle } from './withArticle.ts';

/** A choice whose values are names or ids: read only where the question names the field. */
export const namedField = <Row>(
  field: Pick<Field<Row>, 'id' | 'names' | 'noun'> & {
    before?: readonly string[];
    behind?: readonly string[];
    refused?: string | null;
    usual?: readonly string[];
    isPast?: true;
    isPerson?: true;
  },
  read: (row: Row) => string | null,
): Field<Row> => ({
  ...field,
  kind: 'choice',
  has: withArticle(field.noun),
  lacks: `no ${field.noun}`,
  isNamed: true,
  read,
});
