import { ComputeOptions as _unused } from 'mingo/core';
