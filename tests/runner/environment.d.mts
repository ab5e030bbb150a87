export function mustBe(name: string): void;
