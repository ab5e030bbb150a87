import type { Field } from '../../../engine/queries/entity.ts';
import { withArticle } from '../../../engine/queries/withArticle.ts';

/** A choice whose values are names or ids: read only where the question names the field. */
export const named = <Row>(
  field: Pick<Field<Row>, 'id' | 'names' | 'noun'> & {
    before?: readonly string[];
    behind?: readonly string[];
    refused?: string | null;
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

/** Words before the id of a hazard. */
export const OF_HAZARD = ['of', 'for', 'on', 'about', 'of hazard', 'for hazard', 'on hazard', 'about hazard', 'hazard'];
