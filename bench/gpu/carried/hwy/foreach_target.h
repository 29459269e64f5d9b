/// One target: highway.h beside this file is compiled once.
#pragma once
