#include "run.hpp"

int main(int argc, char** argv) { return jacobi::cli::run(argc, argv); }
