import { CHOICES, type ChoiceFact, type DeviceFacts, factOf } from '../facts/facts.ts';
import { CLASS_FACTS, classInEu, classInTable, classInUk, UK_CLASS_FACTS } from './classRules.ts';
import type { DeviceClass, Reasoned } from './deviceClass.ts';
import { type Qualification, qualify } from './qualification.ts';
import { type SoftwareSafety, softwareSafety } from './softwareSafety.ts';

/** What the class would be if one fact were another. */
export type Alternative = { fact: ChoiceFact; option: string; class: DeviceClass };

/** Everything that the rules say about a product. Nothing in it claims conformity. */
export type Classification = {
  qualification: Qualification;
  /** Null where the product is no device. */
  eu: (Reasoned & { table: DeviceClass | null; alternatives: Alternative[] }) | null;
  /** Null where the product is no device, or is not sold in Great Britain. */
  uk: (Reasoned & { alternatives: Alternative[] }) | null;
  software: SoftwareSafety;
};

/** What each other option of a fact would give, where it gives another class. */
function alternativesOf(
  facts: DeviceFacts,
  asked: readonly ChoiceFact[],
  classOf: (facts: DeviceFacts) => Reasoned,
): Alternative[] {
  const now = classOf(facts).class;
  return asked.flatMap((fact) =>
    CHOICES[fact].options.flatMap(({ id, label }): Alternative[] => {
      if (id === factOf(facts, fact)) return [];
      const then = classOf({ ...facts, [fact]: { value: id, words: null } }).class;
      return then !== null && then !== now ? [{ fact, option: label, class: then }] : [];
    }),
  );
}

/** Reasons qualification, class and software safety class from the facts alone. */
export function classify(facts: DeviceFacts): Classification {
  const qualification = qualify(facts);
  const isDevice = qualification.qualifies !== 'no';
  // Whether it is a device comes first: until then a class is only what it would be.
  const settled = (reasoned: Reasoned): Reasoned =>
    qualification.qualifies === 'yes' ? reasoned : { ...reasoned, class: null };
  const isSoldInUk = factOf(facts, 'market') !== 'eu';
  return {
    qualification,
    eu: isDevice
      ? {
          ...settled(classInEu(facts)),
          table: classInTable(facts) ?? null,
          alternatives: alternativesOf(facts, CLASS_FACTS, classInEu),
        }
      : null,
    uk:
      isDevice && isSoldInUk
        ? { ...settled(classInUk(facts)), alternatives: alternativesOf(facts, UK_CLASS_FACTS, classInUk) }
        : null,
    software: softwareSafety(facts),
  };
}
