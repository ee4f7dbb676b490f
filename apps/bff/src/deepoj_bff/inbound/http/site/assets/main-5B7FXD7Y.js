import"./chunk-7G4GSNEV.js";
